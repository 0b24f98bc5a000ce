import { DateTime } from 'luxon';
import { startOfDate } from '../../shared/calendar.ts';
import { invalidInput } from '../../shared/errors.ts';
import { addDays, daysBetween } from '../../shared/pacific.ts';
import { DEFAULT_WINDOW_DAYS, MAX_WINDOW_DAYS, type MarksQuery } from './model.ts';

/** Inclusive days of a zone. */
export type MarksWindow = {
  from: string;
  to: string;
  timezone: string;
  fromMs: number;
  toMs: number;
};

export const toLocalDay = (ms: number, timezone: string): string =>
  DateTime.fromMillis(ms, { zone: timezone }).toFormat('yyyy-MM-dd');

function parseDays({ days, from, to }: MarksQuery, today: string): { from: string; to: string } {
  if (from === undefined && to === undefined) {
    return { from: addDays(today, 1 - (days ?? DEFAULT_WINDOW_DAYS)), to: today };
  }
  if (days !== undefined) throw invalidInput('days', 'cannot be combined with from and to');
  if (from === undefined) throw invalidInput('from', 'is required with to');
  if (to === undefined) throw invalidInput('to', 'is required with from');
  if (from > to) throw invalidInput('to', 'must not be before from');
  if (daysBetween(from, to) >= MAX_WINDOW_DAYS) {
    throw invalidInput('from', `must be at most ${MAX_WINDOW_DAYS} days before to`);
  }
  return { from, to };
}

export function marksWindow(query: MarksQuery, timezone: string, nowMs: number): MarksWindow {
  const { from, to } = parseDays(query, toLocalDay(nowMs, timezone));
  const [fromMs, toMs] = [startOfDate(from, timezone), startOfDate(to, timezone, 1)];
  return { from, to, timezone, fromMs, toMs };
}
