import type { Deps } from '../../deps.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/time.ts';
import {
  purchaseForwardContract,
  purchaseHistoryContract,
  purchaseNotificationContract,
  purchaseRecoveryContract,
} from '../../temporal/contracts/purchases.ts';
import { checkCertificates } from './check-certificates.ts';
import { forgetOldNotifications, forgetOldTexts } from './forget.ts';
import { selectPendingForwards } from './forwards-store.ts';
import { selectDueHistories } from './history-store.ts';
import { selectWaiting } from './notifications-store.ts';
import { selectDueRecoveries } from './recovery-store.ts';
import { rereadNotifications } from './reread.ts';

const BATCH = 500;
/** What the request started itself has had this long. */
const PATIENCE_MS = MINUTE_MS;
const RECOVER_EVERY_MS = HOUR_MS;

async function sweepNotifications(deps: Deps, before: Date): Promise<void> {
  for (const { scope, ...input } of await selectWaiting(deps.sql, { before, limit: BATCH })) {
    await deps.temporal.start(purchaseNotificationContract, input, scope);
  }
}

async function sweepForwards(deps: Deps, before: Date): Promise<void> {
  for (const forward of await selectPendingForwards(deps.sql, { before, limit: BATCH })) {
    const { orgId, appId } = forward;
    await deps.temporal.start(purchaseForwardContract, forward, { orgId, appId });
  }
}

async function sweepRecoveries(deps: Deps, before: Date): Promise<void> {
  for (const app of await selectDueRecoveries(deps.sql, { before, limit: BATCH })) {
    await deps.temporal.start(purchaseRecoveryContract, app, app);
  }
}

async function sweepHistories(deps: Deps, now: Date): Promise<void> {
  for (const app of await selectDueHistories(deps.sql, { now, limit: BATCH })) {
    await deps.temporal.start(purchaseHistoryContract, app, app);
  }
}

/**
 * Starts what is stored and not applied, not delivered, or not read from the store; forgets
 * what is past its retention.
 */
export async function reconcilePurchases(deps: Deps): Promise<void> {
  const now = deps.clock();
  const patient = new Date(now.getTime() - PATIENCE_MS);
  await sweepNotifications(deps, patient);
  await sweepForwards(deps, patient);
  await sweepRecoveries(deps, new Date(now.getTime() - RECOVER_EVERY_MS));
  await sweepHistories(deps, now);
  await checkCertificates(deps);
  await forgetOldNotifications(deps);
  await forgetOldTexts(deps);
  await rereadNotifications(deps);
}
