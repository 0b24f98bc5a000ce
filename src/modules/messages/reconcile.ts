import { DateTime } from 'luxon';
import type { Deps } from '../../context.ts';
import { canonicalZone } from '../../shared/timezone.ts';
import { morningDigestContract } from '../../temporal/contracts/digests.ts';
import { alertCheckContract, messagePostContract } from '../../temporal/contracts/messages.ts';
import { ensureMissing, ensureSchedules } from '../../temporal/ensure.ts';
import { deleteOldRows } from '../../storage/old-rows.ts';
import { bundleMessages } from './bundle-messages.ts';
import { ensurePostsAgain, markPostRunsEnsured, selectPostsWithoutRun } from './bundles-queries.ts';
import { alertSchedules, digestSchedules } from './queries.ts';

const KEEP_DAYS = 90;

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

export const ensureDigestSchedules = ensureSchedules(
  digestSchedules,
  morningDigestContract,
  toDailyTime,
);

export const ensureAlertChecks = ensureSchedules(alertSchedules, alertCheckContract);

export async function sendMessages(
  deps: Pick<Deps, 'clock' | 'log' | 'sql' | 'temporal'>,
): Promise<boolean> {
  await bundleMessages(deps);
  return ensureMissing(deps, {
    select: selectPostsWithoutRun,
    ensure: (temporal, post) => temporal.ensure(messagePostContract, post),
    markEnsured: markPostRunsEnsured,
  });
}

export async function ensureMessageRuns(
  deps: Pick<Deps, 'clock' | 'log' | 'sql' | 'temporal'>,
): Promise<boolean> {
  const more = [
    await ensureDigestSchedules(deps),
    await ensureAlertChecks(deps),
    await sendMessages(deps),
  ];
  return more.includes(true);
}

export async function reconcileMessages({ sql }: Pick<Deps, 'sql'>): Promise<void> {
  await digestSchedules.ensureAgain(sql);
  await alertSchedules.ensureAgain(sql);
  await ensurePostsAgain(sql);
  await deleteOldRows(sql, 'message_bundles', KEEP_DAYS);
  await deleteOldRows(sql, 'messages', KEEP_DAYS);
}
