import type { Deps } from '../../context.ts';
import { alertCheckContract, messagePostContract } from '../../temporal/contracts/messages.ts';
import { ensureMissing } from '../../temporal/ensure.ts';
import { bundleMessages } from './bundle-messages.ts';
import {
  deleteOldBundles,
  forgetEnsuredPosts,
  markPostRunsEnsured,
  selectPostsWithoutRun,
} from './bundles-queries.ts';
import { alertSchedules, deleteOldMessages } from './queries.ts';

const KEEP_DAYS = 90;
/** In case Temporal has lost a run. */
const ENSURED_AGAIN_HOURS = 2;

export function ensureAlertChecks(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    ...alertSchedules,
    ensure: (temporal, { orgId, alerts }) =>
      alerts
        ? temporal.scheduleHourly(alertCheckContract, { orgId })
        : temporal.unschedule(alertCheckContract, { orgId }),
  });
}

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
  const more = [await ensureAlertChecks(deps), await sendMessages(deps)];
  return more.includes(true);
}

export async function reconcileMessages({ sql }: Pick<Deps, 'sql'>): Promise<void> {
  await alertSchedules.ensureAgain(sql);
  await forgetEnsuredPosts(sql, ENSURED_AGAIN_HOURS);
  await deleteOldBundles(sql, KEEP_DAYS);
  await deleteOldMessages(sql, KEEP_DAYS);
}
