import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { addDays, addMonths, type Days, earlier } from '../../state/days.ts';
import { MAX_DAYS } from '../../state/ranges.ts';
import { range as t } from '../../texts/range.ts';
import * as icons from '../icons.ts';
import { dayAfterKey, monthOf, weeksOf } from './calendar-days.ts';

/** Without an end while only the first day is chosen. */
type Draft = { from: string; to?: string };

const of = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (day: string): string => format.format(new Date(`${day}T00:00:00Z`));
};
const spoken = of({ dateStyle: 'full' });
const nameOf = of({ month: 'long', year: 'numeric' });
const weekday = of({ weekday: 'long' });
const A_MONDAY = '2026-11-02';
const WEEKDAYS = Array.from({ length: 7 }, (_, after) => weekday(addDays(A_MONDAY, after)));

function draftWith({ from, to }: Draft, day: string): Draft | Days {
  const isEnd = to === undefined && addDays(from, MAX_DAYS) > day && addDays(day, MAX_DAYS) > from;
  if (!isEnd) return { from: day };
  return day < from ? { from: day, to: from } : { from, to: day };
}

function classOf(day: string, { from, to = from }: Draft): string | undefined {
  if (day < from || day > to) return;
  return `chosen${day === from ? ' first' : ''}${day === to ? ' last' : ''}`;
}

type DayProps = {
  draft: Draft;
  today: string;
  reached: string;
  onChoose: (day: string) => void;
};

type MonthProps = DayProps & { month: string; onKeyDown: (event: KeyboardEvent) => void };

function Day({ day, ...props }: DayProps & { day: string }) {
  const { draft, today, reached } = props;
  const chosen = classOf(day, draft);
  return (
    <td class={chosen}>
      <button
        type="button"
        data-day={day}
        tabIndex={day === reached ? 0 : -1}
        disabled={day > today}
        aria-current={day === today ? 'date' : undefined}
        // With the number as on the button.
        aria-label={chosen ? t.chosen(spoken(day)) : spoken(day)}
        onClick={() => props.onChoose(day)}
      >
        {Number(day.slice('YYYY-MM-'.length))}
      </button>
    </td>
  );
}

function Month({ month, onKeyDown, ...props }: MonthProps) {
  const name = nameOf(`${month}-01`);
  return (
    <div>
      <div class="days-month-name" aria-live="polite">
        {name}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table that is walked by arrows */}
      <table class="days-month" role="grid" aria-label={name} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {WEEKDAYS.map((one) => (
              <th key={one} scope="col" aria-label={one}>
                {one.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find((day) => day !== null)}>
              {week.map((day, at) =>
                day === null ? <td key={WEEKDAYS[at]} /> : <Day key={day} day={day} {...props} />,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Calendar(props: {
  draft: Draft;
  today: string;
  months: number;
  onChange: (draft: Draft) => void;
}) {
  const { draft, today, months } = props;
  const root = useRef<HTMLDivElement>(null);
  const start = draft.to ?? draft.from;
  const shown = useSignal(monthOf(addMonths(start, 1 - months)));
  const active = useSignal(start);
  const wanted = useRef(months === 1 ? start : undefined);
  const last = monthOf(addMonths(shown.value, months - 1));
  const isShown = (day: string) => monthOf(day) >= shown.value && monthOf(day) <= last;
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    root.current?.querySelector<HTMLElement>(`[data-day="${wanted.current}"]`)?.focus();
    wanted.current = undefined;
  });
  const choose = (day: string) => {
    active.value = day;
    props.onChange(draftWith(draft, day));
  };
  const goTo = (event: KeyboardEvent) => {
    const { target, key, shiftKey } = event;
    const from = target instanceof HTMLElement ? target.dataset.day : undefined;
    const next = from && dayAfterKey(from, key, shiftKey);
    if (!next) return;
    event.preventDefault();
    const day = earlier(next, today);
    wanted.current = day;
    active.value = day;
    if (monthOf(day) < shown.value) shown.value = monthOf(day);
    if (monthOf(day) > last) shown.value = monthOf(addMonths(day, 1 - months));
  };
  const turn = (count: number) => {
    shown.value = monthOf(addMonths(shown.value, count));
  };
  return (
    <div class="days-calendar" ref={root}>
      <button type="button" aria-label={t.previousMonth} onClick={() => turn(-1)}>
        <icons.back aria-hidden />
      </button>
      {Array.from({ length: months }, (_, at) => monthOf(addMonths(shown.value, at))).map(
        (month) => (
          <Month
            key={month}
            month={month}
            draft={draft}
            today={today}
            reached={isShown(active.value) ? active.value : `${last}-01`}
            onChoose={choose}
            onKeyDown={goTo}
          />
        ),
      )}
      <button
        type="button"
        aria-label={t.nextMonth}
        aria-disabled={last >= monthOf(today)}
        onClick={() => last < monthOf(today) && turn(1)}
      >
        <icons.crumb aria-hidden />
      </button>
    </div>
  );
}
