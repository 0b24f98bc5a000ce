import { range as t } from '../texts/range.ts';
import { changedQuery } from './address-query.ts';
import { addDays, type Days, earlier, isDay } from './days.ts';

export type Preset = number | 'today' | 'yesterday' | 'month';
export type Range = { kind: 'preset'; preset: Preset } | ({ kind: 'dates' } & Days);

/** The most that any route of the API takes. */
export const MAX_DAYS = 400;
export const DEFAULT_PRESET = 28;
export const PRESETS = ['today', 'yesterday', 7, 28, 90, 365, 'month'] as const;

const CARRIED = ['days', 'from', 'to', 'compare', 'environment'] as const;

type Parameters = Readonly<Record<string, string | undefined>>;

const presetOf = (text: string): Preset | undefined => {
  if (text === 'today' || text === 'yesterday' || text === 'month') return text;
  const count = Number(text);
  return Number.isInteger(count) && count >= 1 && count <= MAX_DAYS ? count : undefined;
};

/** 28 days where it names none. */
export function rangeOf({ days = '', from = '', to = '' }: Parameters): Range {
  if (isDay(from) && isDay(to) && from <= to) {
    const first = addDays(to, 1 - MAX_DAYS);
    return { kind: 'dates', from: from < first ? first : from, to };
  }
  return { kind: 'preset', preset: presetOf(days) ?? DEFAULT_PRESET };
}

export function parametersOf(range: Range): {
  [Name in 'days' | 'from' | 'to']: string | undefined;
} {
  if (range.kind === 'dates') return { days: undefined, from: range.from, to: range.to };
  const days = range.preset === DEFAULT_PRESET ? undefined : String(range.preset);
  return { days, from: undefined, to: undefined };
}

export type Resolved = Days & {
  today: string;
  preset: Preset | null;
};

function daysOf(range: Range, today: string): Days {
  if (range.kind === 'dates') {
    const to = earlier(range.to, today);
    return { from: earlier(range.from, to), to };
  }
  switch (range.preset) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'month':
      return { from: `${today.slice(0, 8)}01`, to: today };
    default:
      return { from: addDays(today, -range.preset), to: addDays(today, -1) };
  }
}

export const resolveRange = (range: Range, today: string): Resolved => ({
  ...daysOf(range, today),
  today,
  preset: range.kind === 'preset' ? range.preset : null,
});

/** For an app whose events are all of today. */
export const throughToday = (range: Resolved): Resolved => ({ ...range, to: range.today });

export const presetLabel = (preset: Preset): string =>
  typeof preset === 'number' ? t.lastDays(preset) : t.presets[preset];

export const carriedOf = (parameters: Parameters): string =>
  changedQuery('', Object.fromEntries(CARRIED.map((name) => [name, parameters[name]])));

/** Two dates in place of a preset. */
export const fixedQuery = (query: string, { from, to }: Days): string =>
  changedQuery(query, { days: undefined, from, to });
