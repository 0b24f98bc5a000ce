import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { dayRange, dayWithWeekday } from '../../format.ts';
import { type Days, lengthOf } from '../../state/days.ts';
import { isNarrow } from '../../state/narrow.ts';
import type { RangeState } from '../../state/range.ts';
import { presetLabel, PRESETS, type Range, resolveRange } from '../../state/ranges.ts';
import { into, turn } from '../../state/signals.ts';
import type { VersionDays } from '../../state/version-days.ts';
import { range as t } from '../../texts/range.ts';
import { moveFocus } from '../arrow-keys.ts';
import * as icons from '../icons.ts';
import { Calendar } from './calendar.tsx';
import type { RangePanelProps } from './panel-props.ts';

const isSame = (one: Days, other: Days | undefined): boolean =>
  one.from === other?.from && one.to === other.to;

function Presets(props: {
  range: RangeState;
  draft: Days | undefined;
  versions: readonly VersionDays[];
  onPick: (range: Range) => void;
}) {
  const { range, draft, versions, onPick } = props;
  const presets = PRESETS.map((preset) => ({ kind: 'preset' as const, preset }));
  const isChosen = (one: Range) => isSame(resolveRange(one, range.today), draft);
  return (
    <ul class="presets" onKeyDown={(event) => moveFocus(event, 'button')}>
      {presets.map((one) => (
        <li key={one.preset}>
          <button
            type="button"
            class="preset"
            aria-current={isChosen(one) || undefined}
            onClick={() => onPick(one)}
          >
            {presetLabel(one.preset)}
          </button>
        </li>
      ))}
      {versions.map(({ version, isLast, from, to }) => (
        <li key={`version ${version}`}>
          <button
            type="button"
            class="preset"
            aria-current={isSame({ from, to }, draft) || undefined}
            onClick={() => onPick({ kind: 'dates', from, to })}
          >
            <icons.version aria-hidden />
            {isLast ? t.since(version) : t.version(version, dayRange(from, to))}
          </button>
        </li>
      ))}
    </ul>
  );
}

const sizeOf = (days: Days, timezone: string): string => t.inZone(lengthOf(days), timezone);

type Draft = { from: string; to?: string };

function Foot(props: { draft: Draft; timezone: string; close: () => void; show: () => void }) {
  const { from, to } = props.draft;
  return (
    <div class="range-foot">
      <span class="range-day">{dayWithWeekday(from)}</span>
      <span class="quiet">{t.to}</span>
      <span class="range-day">{to ? dayWithWeekday(to) : '…'}</span>
      <span class="range-size quiet" role="status">
        {to ? sizeOf({ from, to }, props.timezone) : t.chooseEnd}
      </span>
      <button type="button" class="plain" onClick={props.close}>
        {t.cancel}
      </button>
      <button type="button" class="primary" disabled={!to} onClick={props.show}>
        {t.show}
      </button>
    </div>
  );
}

export function RangePanel(props: RangePanelProps) {
  const { range, versions, close } = props;
  const presets = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = presets.current?.querySelector<HTMLElement>('[aria-current]');
    (chosen ?? presets.current?.querySelector('button'))?.focus({ preventScroll: true });
  }, []);
  const draft = useSignal<Draft>({ from: range.from, to: range.to });
  // Where there is no room beside the presets.
  const isOne = useSignal(isNarrow.value).value;
  const isCustom = useSignal(!isOne);
  const { from, to } = draft.value;
  const take = (chosen: Range) => {
    close();
    range.setRange(chosen);
  };
  return (
    <>
      {!(isOne && isCustom.value) && (
        <div class="range-presets" ref={presets}>
          <Presets
            range={range}
            draft={to ? { from, to } : undefined}
            versions={versions}
            onPick={take}
          />
          {!isCustom.value && (
            <button type="button" class="preset" onClick={turn(isCustom, true)}>
              {t.custom}
            </button>
          )}
        </div>
      )}
      {isCustom.value && (
        <div class="range-calendar">
          <div class="range-months">
            <Calendar
              draft={draft.value}
              today={range.today}
              months={isOne ? 1 : 2}
              onChange={into(draft)}
            />
          </div>
          <Foot
            draft={draft.value}
            timezone={range.timezone}
            close={close}
            show={() => to && take({ kind: 'dates', from, to })}
          />
        </div>
      )}
    </>
  );
}
