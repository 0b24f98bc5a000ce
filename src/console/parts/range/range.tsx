import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { dayRange } from '../../format.ts';
import { api } from '../../state/api.ts';
import { appIdAt } from '../../state/place.ts';
import { useQuery } from '../../state/query.ts';
import { type Comparison, useCompare, useRange } from '../../state/range.ts';
import { turn } from '../../state/signals.ts';
import { type VersionDays, versionDays } from '../../state/version-days.ts';
import { controls } from '../../texts/controls.ts';
import { range as t } from '../../texts/range.ts';
import * as icons from '../icons.ts';
import { Menu } from '../menu.tsx';
import { Popover } from '../popover.tsx';
import { useModule } from '../use-module.ts';
import type { RangePanelProps } from './panel-props.ts';

const DAYS = 120;

const NONE: readonly VersionDays[] = [];

function useVersionDays(appId: string | undefined, today: string, enabled: boolean) {
  const query = useQuery(
    `versions ${appId ?? ''} ${today}`,
    async (signal) => {
      const { marks } = await api.listMarks({ id: appId ?? '', query: { days: DAYS } }, { signal });
      return versionDays(marks, today);
    },
    { enabled: enabled && appId !== undefined },
  );
  return query.value.data ?? NONE;
}

const loadPanel = () => import('./panel.tsx');

function Panel(props: RangePanelProps) {
  const { module, isMissing } = useModule(loadPanel);
  if (module) return <module.RangePanel {...props} />;
  return <p class="range-presets">{isMissing && controls.notLoaded}</p>;
}

export function RangeControl() {
  const range = useRange();
  const wasOpened = useSignal(false);
  const versions = useVersionDays(appIdAt(useLocation()), range.today, wasOpened.value);
  const isPreset = range.range.kind === 'preset';
  return (
    <Popover
      label={t.label}
      class="range-panel"
      placement="bottom-end"
      preload={loadPanel}
      onOpen={turn(wasOpened, true)}
      button={(trigger) => (
        <button {...trigger} class="plain range-button">
          <icons.calendar aria-hidden />
          <span class="skip">{t.label}: </span>
          <span class="wide-only">{range.label}</span>
          <span class="narrow-only">{isPreset ? t.shortOf(range.preset) : range.dates}</span>
          {isPreset && <span class="range-dates wide-only">{range.dates}</span>}
          <icons.open aria-hidden class="small" />
        </button>
      )}
    >
      {(close) => <Panel range={range} versions={versions} close={close} />}
    </Popover>
  );
}

export function CompareControl() {
  const range = useRange();
  const { compare, setCompare, before } = useCompare(range);
  const option = (value: Comparison, label: string, detail?: string) => ({
    key: value,
    label,
    ...(detail && { detail }),
    isChosen: compare === value,
    onSelect: () => setCompare(value),
  });
  const dates = dayRange(before.from, before.to);
  return (
    <Menu
      label={t.comparison}
      placement="bottom-end"
      button={(trigger) => (
        <button {...trigger} class={compare === 'none' ? 'plain' : 'plain on'}>
          <icons.compare aria-hidden />
          {compare === 'none' ? t.compare : t.comparedWith(dates)}
          <icons.open aria-hidden class="small" />
        </button>
      )}
      items={[
        option('none', t.comparisons.none),
        option('previous', t.comparisons.previous(range.days), dates),
      ]}
    />
  );
}
