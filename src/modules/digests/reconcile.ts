import type { Deps } from '../../context.ts';
import { morningDigestContract } from '../../temporal/contracts/digests.ts';
import { alertCheckContract, messagePostContract } from '../../temporal/contracts/messages.ts';
import { ensureMissing } from '../../temporal/ensure.ts';
import {
  deleteOldMessages,
  forgetEnsuredChecks,
  markChecksEnsured,
  selectChecksWithoutRun,
} from '../messages/index.ts';
import { bundleMessages } from './bundle-messages.ts';
import {
  deleteOldBundles,
  forgetEnsuredPosts,
  markPostRunsEnsured,
  selectPostsWithoutRun,
} from './bundles-queries.ts';
import { dailyTimeOf } from './daily-time.ts';
import {
  deleteOldDigests,
  forgetEnsured,
  markRunsEnsured,
  selectSettingsWithoutRun,
} from './queries.ts';

const KEEP_DAYS = 90;
/** Temporal may lose a schedule; no digest is then missed for longer than its catch-up window. */
const ENSURED_AGAIN_HOURS = 2;

/** Makes the schedule of each organization what its settings say. */
export function ensureDigestSchedules(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: selectSettingsWithoutRun,
    ensure: (temporal, { orgId, isOn, ...time }) =>
      isOn
        ? temporal.scheduleDaily(morningDigestContract, { orgId }, dailyTimeOf(time))
        : temporal.unschedule(morningDigestContract, { orgId }),
    markEnsured: markRunsEnsured,
  });
}

/** Makes the hourly check for alerts of each organization what its settings say. */
export function ensureAlertChecks(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: selectChecksWithoutRun,
    ensure: (temporal, { orgId, alerts }) =>
      alerts
        ? temporal.scheduleHourly(alertCheckContract, { orgId })
        : temporal.unschedule(alertCheckContract, { orgId }),
    markEnsured: markChecksEnsured,
  });
}

/** Bundles what nobody was told yet, and starts a run for each of its posts. */
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

export async function ensureDigestRuns(
  deps: Pick<Deps, 'clock' | 'log' | 'sql' | 'temporal'>,
): Promise<boolean> {
  const more = [
    await ensureDigestSchedules(deps),
    await ensureAlertChecks(deps),
    await sendMessages(deps),
  ];
  return more.includes(true);
}

/** Has schedules and posts ensured again from time to time, and deletes what is old. */
export async function reconcileDigests({ sql }: Pick<Deps, 'sql'>): Promise<void> {
  await forgetEnsured(sql, ENSURED_AGAIN_HOURS);
  await forgetEnsuredChecks(sql, ENSURED_AGAIN_HOURS);
  await forgetEnsuredPosts(sql, ENSURED_AGAIN_HOURS);
  await deleteOldDigests(sql, KEEP_DAYS);
  await deleteOldBundles(sql, KEEP_DAYS);
  await deleteOldMessages(sql, KEEP_DAYS);
}
