import type { SavedQuestion } from '../../../../clients/api/src/index.ts';
import { type Ask, type AskKind, begin, type Door, type Frame, readAsk } from '../../state/ask.ts';
import { lengthOf } from '../../state/days.ts';
import type { Funnel } from '../../state/funnels.ts';
import { retentionIntervals, seriesIntervals, seriesQuery } from '../../state/range-query.ts';
import { type Resolved, throughToday } from '../../state/ranges.ts';
import { environmentOf } from '../../state/sent.ts';
import { askFrom, NOTHING_ASKED } from './from-page.ts';
import { savedParameters } from './saved-parameters.ts';

type Parameters = Readonly<Record<string, string | undefined>>;
type Saved = Pick<SavedQuestion, 'id' | 'question'>;
type Interval = Frame['interval'];

const USUAL = { trends: 'trend', funnels: 'funnel', retention: 'retention' } as const;

const { only: _, ...ASKED } = NOTHING_ASKED;

/** A saved question that nothing in the address changes. */
export const isShort = (query: Parameters): boolean =>
  query.saved !== undefined && Object.keys(ASKED).every((one) => query[one] === undefined);

export const openedAt = (
  query: Parameters,
  saved: Saved,
  funnels: readonly Funnel[],
): Parameters => (isShort(query) ? { ...query, ...savedParameters(saved, funnels, query) } : query);

export const askAt = (door: Door, query: Parameters, funnels?: readonly Funnel[]): Ask =>
  readAsk(query.q) ?? askFrom(door, query, funnels) ?? begin(USUAL[door]);

/** Columns beside the cohort's own. */
const PERIODS = { hour: 14, day: 14, week: 12, month: 12 } as const;

function intervalsOf(kind: AskKind, range: Resolved): readonly Interval[] {
  if (kind === 'retention') return retentionIntervals(range);
  return kind === 'trend' || kind === 'lifecycle' ? seriesIntervals(range) : [];
}

const WEEKS_FROM_DAYS = 14;

function usualInterval(kind: AskKind, intervals: readonly Interval[], days: number): Interval {
  if (kind !== 'retention') return intervals.includes('day') ? 'day' : (intervals[0] ?? 'day');
  const usual = days < WEEKS_FROM_DAYS ? 'day' : 'week';
  return intervals.includes(usual) ? usual : 'month';
}

function windowOf(kind: AskKind, interval: Interval, range: Resolved): Frame['window'] {
  if (kind !== 'funnel' && kind !== 'retention') return seriesQuery(range);
  const isUnderWay = kind === 'retention' && interval !== 'day' && typeof range.preset === 'number';
  // A week or month that begins today is a cohort too.
  const { from, to } = isUnderWay ? throughToday(range) : range;
  return { from, to };
}

export function framedAt(kind: AskKind, query: Parameters, range: Resolved) {
  const intervals = intervalsOf(kind, range);
  const usual = usualInterval(kind, intervals, lengthOf(range));
  const interval = intervals.find((one) => one === query.interval) ?? usual;
  const window = windowOf(kind, interval, range);
  const environment = environmentOf(query.environment);
  const frame: Frame = { environment, interval, periods: PERIODS[interval], window };
  return { intervals, usual, frame };
}
