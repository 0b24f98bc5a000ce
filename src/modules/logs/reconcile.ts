import type { Deps } from '../../context.ts';
import { DAY_MS, HOUR_MS } from '../../shared/time.ts';
import * as queries from './partition-queries.ts';

/** For entries without an app of the organization. */
const DEFAULT_RETENTION_DAYS = 30;
const EXPIRE_EVERY_MS = 20 * HOUR_MS;

export async function reconcileLogs({ sql, clock, log }: Pick<Deps, 'sql' | 'clock' | 'log'>) {
  const now = clock();
  const today = queries.toUtcDay(now);
  for (const day of [today, queries.toUtcDay(new Date(now.getTime() + DAY_MS))]) {
    await queries.ensurePartition(sql, day);
  }
  const retentions = [DEFAULT_RETENTION_DAYS, ...(await queries.appRetentions(sql))];
  const limits = retentions.map((days) => days ?? Number.POSITIVE_INFINITY);
  for (const day of await queries.partitionDays(sql)) {
    const ageDays = Math.round((Date.parse(today) - Date.parse(day)) / DAY_MS);
    if (ageDays > Math.max(...limits)) {
      await queries.dropPartition(sql, day);
      log.info({ day }, 'dropped a day of log entries past every retention');
    } else if (ageDays > Math.min(...limits)) {
      await expireDay({ sql, clock }, day, ageDays);
    }
  }
}

async function expireDay(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  day: string,
  ageDays: number,
) {
  const now = clock();
  if (await queries.isExpiredSince(sql, day, new Date(now.getTime() - EXPIRE_EVERY_MS))) return;
  await queries.deleteExpired(sql, day, { ageDays, otherwise: DEFAULT_RETENTION_DAYS });
  await queries.noteExpired(sql, day, now);
}
