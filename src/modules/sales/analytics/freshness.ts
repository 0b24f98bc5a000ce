import { type Static, Type } from '@sinclair/typebox';
import * as pacific from '../../../shared/pacific.ts';
import { Named, Nullable, OneOf } from '../../../shared/schema.ts';
import { toIsoOrNull } from '../../../shared/time.ts';
import type { SyncRecord } from '../collection/syncs-queries.ts';
import { type DayState, isCovered } from '../days/day-state.ts';

export const Freshness = Named('Freshness', {
  yesterday: Type.String(),
  today: Type.String(),
  todayExpectedBy: Type.String(),
  publishExpectedBy: Type.String(),
  state: OneOf(['ready', 'awaiting', 'no_sales', 'error', 'unchecked']),
  checkedAt: Nullable(Type.String()),
  lastRunAt: Nullable(Type.String()),
  lastError: Nullable(Type.String()),
  coveredFrom: Nullable(Type.String()),
  coveredThrough: Nullable(Type.String()),
  daysBehind: Nullable(Type.Number()),
  gaps: Type.Number(),
});
export type Freshness = Static<typeof Freshness>;

/** Pacific hour of publication, by the store's documentation. */
const PUBLISH_HOUR = 8;

export type LastRun = Pick<SyncRecord, 'checkedAt' | 'lastRunAt' | 'lastError'> & {
  failed: boolean;
};

export const NEVER_RUN: LastRun = {
  checkedAt: null,
  lastRunAt: null,
  lastError: null,
  failed: false,
};

const UNREADABLE = 'A report cannot be read; it is asked for again by itself.';

export function lastRun(sync: SyncRecord, unreadable: string | null): LastRun {
  return {
    checkedAt: sync.checkedAt,
    lastRunAt: sync.lastRunAt,
    lastError: sync.lastError ?? (unreadable && `${UNREADABLE} ${unreadable}`) ?? sync.trialsError,
    failed: sync.stoppedBecause !== null && sync.stoppedBecause !== 'budget',
  };
}

export type SalesDays = ReadonlyMap<string, DayState>;

function judgeState(run: LastRun, yesterday: DayState | undefined): Freshness['state'] {
  if (run.lastRunAt === null && yesterday === undefined) return 'unchecked';
  if (yesterday === 'reported') return 'ready';
  if (isCovered(yesterday)) return 'no_sales';
  return run.failed || yesterday === 'error' ? 'error' : 'awaiting';
}

/** The days of a store, and by when it reports one. */
export type StoreCalendar = {
  today: (now: Date) => string;
  reportedBy: (day: string) => string;
};

export const APP_STORE_CALENDAR: StoreCalendar = {
  today: pacific.pacificDay,
  reportedBy: (day) =>
    pacific.pacificIso(pacific.pacificInstant(pacific.addDays(day, 1), PUBLISH_HOUR)),
};

/** Pure function of day states and runs. */
export function freshness(
  now: Date,
  days: SalesDays,
  run: LastRun,
  { today: todayAt, reportedBy }: StoreCalendar = APP_STORE_CALENDAR,
): Freshness {
  const today = todayAt(now);
  const yesterday = pacific.addDays(today, -1);
  const covered = [...days].filter(([, state]) => isCovered(state)).map(([day]) => day);
  covered.sort();
  const coveredFrom = covered.at(0) ?? null;
  const coveredThrough = covered.at(-1) ?? null;
  const span =
    coveredFrom && coveredThrough
      ? pacific.daysBetween(coveredFrom, coveredThrough) + 1
      : covered.length;
  return {
    yesterday,
    today,
    todayExpectedBy: reportedBy(today),
    publishExpectedBy: reportedBy(yesterday),
    state: judgeState(run, days.get(yesterday)),
    checkedAt: toIsoOrNull(run.checkedAt),
    lastRunAt: toIsoOrNull(run.lastRunAt),
    lastError: run.lastError,
    coveredFrom,
    coveredThrough,
    daysBehind: coveredThrough === null ? null : pacific.daysBetween(coveredThrough, yesterday),
    gaps: span - covered.length,
  };
}
