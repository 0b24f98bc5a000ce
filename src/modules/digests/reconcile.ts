import { DateTime } from 'luxon';
import type { Deps } from '../../context.ts';
import { canonicalZone } from '../../shared/timezone.ts';
import { morningDigestContract } from '../../temporal/contracts/digests.ts';
import { deleteOldRows } from '../../storage/old-rows.ts';
import { ensureSchedules } from '../../temporal/ensure.ts';
import { digestSchedules } from './queries.ts';

const DAY_MINUTES = 24 * 60;

/** Settings of older releases may hold an offset. */
export function toDailyTime({ timezone, hour }: { timezone: string; hour: number }) {
  const zone = canonicalZone(timezone);
  if (zone !== null) return { timezone: zone, hour, minute: 0 };
  const { offset } = DateTime.fromMillis(0, { zone: timezone });
  const utcMinutes =
    (hour * 60 - (Number.isFinite(offset) ? offset : 0) + DAY_MINUTES) % DAY_MINUTES;
  return { timezone: 'UTC', hour: Math.floor(utcMinutes / 60), minute: utcMinutes % 60 };
}

const KEEP_DAYS = 90;

export const ensureDigestSchedules = ensureSchedules(
  digestSchedules,
  morningDigestContract,
  toDailyTime,
);

export async function reconcileDigests({ sql }: Pick<Deps, 'sql'>): Promise<void> {
  await digestSchedules.ensureAgain(sql);
  await deleteOldRows(sql, 'digests', KEEP_DAYS);
}
