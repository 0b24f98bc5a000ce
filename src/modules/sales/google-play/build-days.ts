import type { PlayReport } from '../../../providers/play-reports/port.ts';
import { addDays, daysBetween, eachDay } from '../../../shared/pacific.ts';
import { DAY_MS } from '../../../shared/time.ts';
import type { Sql, Tx } from '../../../storage/postgres.ts';
import {
  type DayAnswer,
  type DayChange,
  type DayRecord,
  type DayState,
  nextDay,
} from '../days/day-state.ts';
import { packDay } from '../days/packs-queries.ts';
import { dayKey, type StoredType } from '../days/plan.ts';
import * as queries from '../days/queries.ts';
import { type BucketScope, type MonthOfFiles, selectMonths } from './files-queries.ts';
import { vendorOf } from './model.ts';
import { countRows, insertPlayFacts } from './rows-queries.ts';

const STORED_AS: Readonly<Record<PlayReport, StoredType>> = {
  sales: 'SALES',
  earnings: 'EARNINGS',
  installs: 'INSTALLS',
};

/** Google adds rows to a day for up to a week. */
export const SETTLED_DAYS = 7;
/** From this age on a day without rows counts as zero, whatever the file. */
const UNCLEAR_DAYS = 10;
const HISTORY_MONTHS = 25;

export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);
export const monthOf = (day: string): string => day.slice(0, 7);

/** First day read: two years are compared. */
export function oldestDay(today: string): string {
  const first = new Date(`${monthOf(today)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - HISTORY_MONTHS);
  return utcDay(first);
}

/** For a day without rows. */
function emptyAnswer(day: string, today: string, month: MonthOfFiles | undefined): DayAnswer {
  if (month?.isUnread) return 'failed';
  const settled = addDays(day, SETTLED_DAYS);
  if (month && utcDay(month.updatedAt) >= settled) return 'empty';
  return daysBetween(day, today) > UNCLEAR_DAYS ? 'unclear' : 'not_yet';
}

type ReportDay = BucketScope & { report: PlayReport; day: string };

const CLEARED: DayChange = { state: 'zero', emptySeenAt: null, rows: 'clear' };

/** Makes the day's facts of the rows that count; one of sales that lost its rows waits a day. */
export async function buildDay(tx: Tx, of: ReportDay, now: Date): Promise<void> {
  const { orgId, bucket, report, day } = of;
  const scope = { orgId, vendorNumber: vendorOf(bucket), reportType: STORED_AS[report], day };
  const record = await queries.selectDayForUpdate(tx, scope);
  const rows = await countRows(tx, of);
  const situation = { record, day, today: utcDay(now), now };
  const emptied = report === 'earnings' ? CLEARED : nextDay('empty', situation);
  const change = rows > 0 ? nextDay('rows', situation) : emptied;
  const isRewritten = change.rows !== 'keep';
  if (isRewritten) await queries.deleteFacts(tx, scope);
  if (change.rows === 'replace') await insertPlayFacts(tx, scope, of);
  await queries.upsertDay(tx, scope, {
    ...{ state: change.state, checkedAt: now, emptySeenAt: change.emptySeenAt, lastError: null },
    facts: isRewritten ? { contentHash: null, rows } : undefined,
  });
  if (isRewritten) await packDay(tx, scope);
}

/** A day that lost its rows is looked at again a day later. */
const isToConfirm = ({ emptySeenAt }: DayRecord, now: Date) =>
  emptySeenAt !== null && now.getTime() - emptySeenAt.getTime() >= DAY_MS;

type Sweep = { today: string; now: Date; record: DayRecord | null; day: string };

/** Null where it stays as it is. */
function nextState({ record, ...sweep }: Sweep, whenEmpty: DayAnswer): DayState | null {
  const { state } = nextDay(whenEmpty, { record, ...sweep });
  return state === record?.state ? null : state;
}

/** States of the days without rows, as of all files. */
export async function sweepDays(
  { sql, clock }: { sql: Sql; clock: () => Date },
  scope: BucketScope,
  report: 'installs' | 'sales',
): Promise<void> {
  const now = clock();
  const today = utcDay(now);
  const months = await selectMonths(sql, scope, report);
  const vendor = { orgId: scope.orgId, vendorNumber: vendorOf(scope.bucket) };
  const records = await queries.selectDays(sql, vendor);
  const changed = new Map<string, DayState>();
  for (const day of eachDay(oldestDay(today), addDays(today, -1))) {
    const record = records.get(dayKey(STORED_AS[report], day)) ?? null;
    if (record?.state === 'reported') {
      if (isToConfirm(record, now)) {
        await sql.begin((tx) => buildDay(tx, { ...scope, report, day }, now));
      }
      continue;
    }
    const whenEmpty = emptyAnswer(day, today, months.get(monthOf(day)));
    const state = nextState({ today, now, record, day }, whenEmpty);
    if (state !== null) changed.set(day, state);
  }
  await queries.upsertEmptyDays(sql, { ...vendor, reportType: STORED_AS[report] }, changed, now);
}
