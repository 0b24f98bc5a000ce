import { calendarDay, locale, monthName } from '../../format.ts';
import { chart as t } from '../../texts/chart.ts';
import { calendarBlocks, type CalendarDay, monthStarts } from './calendar-weeks.ts';
import { box, round } from './scale.ts';
import type { DayState, YearCalendarProps } from './types.ts';
import { useWidth } from './width.ts';

const LEFT_PX = 32;
const MONTHS_PX = 16;
const MONTH_NAME_PX = 28;
const WIDEST_STEP_PX = 18;
const WEEKDAYS = 7;
/** Below this a half year stands below the other. */
const NARROW_PX = 560;
const BLOCK_GAP_PX = 12;
/** 4 January 2021 was a Monday. */
const MONDAY_MS = Date.UTC(2021, 0, 4);
const DAY_MS = 86_400_000;
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });

const STATES: readonly DayState[] = ['known', 'late', 'missing', 'notDue', 'notCollected', 'gone'];

type SquareProps = { x: number; y: number; size: number; state: DayState; title?: string };

const Square = ({ x, y, size, state, title }: SquareProps) => (
  <rect class={`day-${state}`} {...box(x, y, size, size)} rx="2">
    {title && <title>{title}</title>}
  </rect>
);

type BlockProps = Pick<YearCalendarProps, 'nameOf'> & {
  weeks: readonly (readonly CalendarDay[])[];
  step: number;
  top: number;
};

function Block({ weeks, step, top, nameOf }: BlockProps) {
  const size = step * 0.82;
  const months = new Set(monthStarts(weeks, Math.ceil(MONTH_NAME_PX / step)));
  return (
    <g>
      {[0, 2, 4].map((day) => (
        <text key={day} x="0" y={round(top + MONTHS_PX + (day + 0.78) * step)}>
          {weekday.format(MONDAY_MS + day * DAY_MS)}
        </text>
      ))}
      {weeks.map((week, column) => {
        const x = LEFT_PX + column * step;
        return (
          <g key={week[0]?.day ?? column}>
            {months.has(column) && (
              <text x={round(x)} y={top + 10}>
                {monthName(week[0]?.day.slice(0, 'YYYY-MM'.length) ?? '')}
              </text>
            )}
            {week.map(({ day, state, weekday: row }) => (
              <Square
                key={day}
                x={x}
                y={top + MONTHS_PX + row * step}
                size={size}
                state={state}
                title={t.of(calendarDay(day), nameOf(state))}
              />
            ))}
          </g>
        );
      })}
    </g>
  );
}

export function YearCalendar({ title, days, nameOf }: YearCalendarProps) {
  const { place, width } = useWidth<HTMLDivElement>();
  const blocks = calendarBlocks(days, width > 0 && width < NARROW_PX ? 2 : 1);
  const columns = Math.max(1, ...blocks.map(({ length }) => length));
  const step = Math.min(WIDEST_STEP_PX, (width - LEFT_PX) / columns);
  const blockHeight = MONTHS_PX + WEEKDAYS * step;
  const height = Math.ceil(blocks.length * blockHeight + (blocks.length - 1) * BLOCK_GAP_PX);
  const counts = STATES.flatMap((state) => {
    const count = days.filter((day) => day.state === state).length;
    return count === 0 ? [] : [{ state, count }];
  });
  const words = counts.map(({ state, count }) => t.of(nameOf(state), String(count))).join(', ');
  return (
    <figure class="chart year" ref={place} aria-label={title}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={words}>
          {blocks.map((weeks, index) => (
            <Block
              key={weeks[0]?.[0]?.day ?? index}
              weeks={weeks}
              step={step}
              top={index * (blockHeight + BLOCK_GAP_PX)}
              nameOf={nameOf}
            />
          ))}
        </svg>
      )}
      <ul class="chart-legend">
        {counts.map(({ state, count }) => (
          <li key={state}>
            <svg width="10" height="10" aria-hidden="true">
              <Square x={0.5} y={0.5} size={9} state={state} />
            </svg>
            <span>{`${count} ${nameOf(state)}`}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
