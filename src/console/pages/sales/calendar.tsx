import { calendarDay, monthName } from '../../format.ts';
import { Table } from '../../parts/table.tsx';
import { sales as t } from '../../texts/sales.ts';
import type { DayOfYear, DayState } from './day-states.ts';

const SIZE = 10;
const LONGEST_MONTH = 31;
const STATES: readonly DayState[] = ['covered', 'late', 'due', 'gap', 'ahead', 'gone'];

function Cell({ state, x, title }: { state: DayState; x: number; title?: string }) {
  return (
    <rect class={state} x={x * SIZE + 1} y="1" width={SIZE - 2} height={SIZE - 2}>
      {title && <title>{title}</title>}
    </rect>
  );
}

/** A row a month, a square a day: which days are known; the missing ones stand in a table below. */
export function Calendar({ days }: { days: readonly DayOfYear[] }) {
  const months = Map.groupBy(days, ({ day }) => day.slice(0, 'YYYY-MM'.length));
  const present = STATES.filter((state) => days.some((one) => one.state === state));
  const missing = days.filter(({ state }) => state !== 'covered' && state !== 'gone').reverse();
  return (
    <>
      <div class="calendar" aria-hidden="true">
        {[...months].reverse().map(([month, all]) => (
          <div key={month}>
            <span>{monthName(month)}</span>
            <svg viewBox={`0 0 ${LONGEST_MONTH * SIZE} ${SIZE}`} aria-hidden="true">
              {all.map(({ day, state }) => (
                <Cell
                  key={day}
                  state={state}
                  x={Number(day.slice(-2)) - 1}
                  title={`${calendarDay(day)}: ${t.states[state]}`}
                />
              ))}
            </svg>
          </div>
        ))}
      </div>
      <ul class="legend quiet">
        {present.map((state) => (
          <li key={state}>
            <svg viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true" class="calendar-mark">
              <Cell state={state} x={0} />
            </svg>{' '}
            {days.filter((one) => one.state === state).length} {t.states[state]}
          </li>
        ))}
      </ul>
      {missing.length > 0 && (
        <details>
          <summary>{t.missing}</summary>
          <Table
            caption={t.missing}
            rows={missing}
            keyOf={({ day }) => day}
            csvName="missing-days"
            columns={[
              { label: t.day, show: ({ day }) => calendarDay(day), plain: ({ day }) => day },
              {
                label: t.state,
                show: ({ state }) => t.states[state],
              },
            ]}
          />
        </details>
      )}
    </>
  );
}
