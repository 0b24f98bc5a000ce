import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type DayButtonProps, DayPicker, type Modifiers } from 'react-day-picker';
import { addDays, type Days } from '../../state/days.ts';
import { MAX_DAYS } from '../../state/ranges.ts';
import { range as t } from '../../texts/range.ts';
import * as icons from '../icons.ts';

/** A calendar day as the picker takes it: it knows dates of the reader's zone only. */
const dateOf = (day: string): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
};

const two = (count: number): string => String(count).padStart(2, '0');
const dayOf = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

const firstMonth = (day: string, months: number): Date => {
  const date = dateOf(day);
  return new Date(date.getFullYear(), date.getMonth() + 1 - months);
};

function Chevron({ orientation }: { orientation?: 'up' | 'down' | 'left' | 'right' }) {
  return orientation === 'left' ? <icons.back aria-hidden /> : <icons.crumb aria-hidden />;
}

/**
 * Takes the focus within the drawing that gives it: afterwards, as the picker's own button does, two
 * fast keys would pass it to and fro for ever.
 */
function DayButton({ day: _, modifiers, ...attributes }: DayButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (modifiers.focused) button.current?.focus();
  }, [modifiers.focused]);
  return <button {...attributes} ref={button} type="button" />;
}

const COMPONENTS = { Chevron, DayButton };
const spoken = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });

const LABELS = {
  labelPrevious: () => t.previousMonth,
  labelNext: () => t.nextMonth,
  // With the number as it stands on the button.
  labelDayButton: (date: Date, { selected }: Modifiers) =>
    selected ? t.chosen(spoken.format(date)) : spoken.format(date),
};

/** Months in which two days are chosen, by mouse or keyboard. */
export function Calendar(props: {
  /** Without an end while only the first day is chosen. */
  draft: { from: string; to?: string };
  today: string;
  months: number;
  onChange: (draft: { from: string; to?: string }) => void;
}) {
  const { draft, today, months } = props;
  const month = useSignal(firstMonth(draft.to ?? draft.from, months));
  const choose = (days: Partial<Days>) => {
    const { from, to } = days;
    if (from) props.onChange(to ? { from, to } : { from });
  };
  return (
    <DayPicker
      mode="range"
      numberOfMonths={months}
      autoFocus={months === 1}
      month={month.value}
      onMonthChange={(next) => {
        month.value = next;
      }}
      endMonth={dateOf(today)}
      weekStartsOn={1}
      today={dateOf(today)}
      disabled={{ after: dateOf(today) }}
      max={MAX_DAYS - 1}
      selected={{ from: dateOf(draft.from), to: draft.to ? dateOf(draft.to) : undefined }}
      onSelect={(_, picked) => {
        const day = dayOf(picked);
        const { from, to } = draft;
        const isEnd =
          to === undefined && addDays(from, MAX_DAYS) > day && addDays(day, MAX_DAYS) > from;
        if (!isEnd) choose({ from: day });
        else choose(day < from ? { from: day, to: from } : { from, to: day });
      }}
      components={COMPONENTS}
      labels={LABELS}
    />
  );
}
