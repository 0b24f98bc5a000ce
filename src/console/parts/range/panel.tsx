import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { dayWithWeekday } from '../../format.ts';
import { isNarrow } from '../../state/narrow.ts';
import type { Range } from '../../state/ranges.ts';
import { into, turn } from '../../state/signals.ts';
import { range as t } from '../../texts/range.ts';
import { Calendar } from './calendar.tsx';
import type { RangePanelProps } from './panel-props.ts';
import { Presets, sizeOf } from './presets.tsx';

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
