import { DateTime } from 'luxon';
import type { CalendarInterval } from '../../shared/calendar.ts';
import { counted, percent } from '../../shared/text.ts';
import type { WatchFigure, WatchLook, WatchRule } from './model.ts';

type Told = {
  /** Name of the question. */
  name: string;
  figure: WatchFigure;
  rule: WatchRule;
  look: WatchLook;
  interval: CalendarInterval;
  timezone: string;
};

const WHEN: Readonly<Record<CalendarInterval, string>> = {
  hour: "'on' ccc d LLL 'at' HH:mm",
  day: "'on' ccc d LLL",
  week: "'in the week of' d LLL",
  month: "'in' LLLL",
};

const rounded = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 });

function shown({ of }: WatchFigure, value: number): string {
  switch (of) {
    case 'people':
      return counted(value, 'person', 'people');
    case 'events':
      return counted(value, 'event', 'events');
    case 'conversion':
      return percent(value);
    case 'value':
      return rounded(value);
  }
}

const bare = ({ of }: WatchFigure, value: number): string =>
  of === 'conversion' ? percent(value) : rounded(value);

function against({ figure, rule, look: { value, usual, told } }: Told): string {
  const isOver = told === 'over';
  if (rule.kind === 'threshold') {
    return `${isOver ? 'not ' : ''}${rule.side} ${bare(figure, rule.value)}${isOver ? ' any more' : ''}`;
  }
  const expected = usual ?? Number.NaN;
  const before = bare(figure, expected);
  if (isOver) return `as usual again (${before})`;
  const part = percent(Math.abs((value ?? Number.NaN) / expected - 1));
  return `${part} ${(value ?? Number.NaN) > expected ? 'above' : 'below'} the usual ${before}, more than chance does`;
}

/** "“Searches”: 212 people on Fri 20 Nov, 34.2 % below the usual 322, more than chance does." */
export function watchLine(told: Told): string {
  const { name, figure, look, interval, timezone } = told;
  const when = DateTime.fromISO(look.from, { zone: timezone, locale: 'en' }).toFormat(
    WHEN[interval],
  );
  const value = look.value === null ? 'nothing' : shown(figure, look.value);
  return `“${name}”: ${value} ${when}, ${against(told)}.`;
}
