import type { Deps } from '../../context.ts';
import { alertCheckContract, messagePostContract } from '../../temporal/contracts/messages.ts';
import { ensureMissing, ensureSchedules } from '../../temporal/ensure.ts';
import { deleteOldRows } from '../../storage/old-rows.ts';
import { bundleMessages } from './bundle-messages.ts';
import { ensurePostsAgain, markPostRunsEnsured, selectPostsWithoutRun } from './bundles-queries.ts';
import { alertSchedules } from './queries.ts';

const KEEP_DAYS = 90;

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
  const more = [await ensureAlertChecks(deps), await sendMessages(deps)];
  return more.includes(true);
}

export async function reconcileMessages({ sql }: Pick<Deps, 'sql'>): Promise<void> {
  await alertSchedules.ensureAgain(sql);
  await ensurePostsAgain(sql);
  await deleteOldRows(sql, 'message_bundles', KEEP_DAYS);
  await deleteOldRows(sql, 'messages', KEEP_DAYS);
}
