import type { Deps } from '../../context.ts';
import { Round } from '../../shared/round.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/time.ts';
import {
  purchaseForwardContract,
  purchaseHistoryContract,
  purchaseNotificationContract,
  purchaseRecoveryContract,
} from '../../temporal/contracts/purchases.ts';
import { startAll } from '../../temporal/start-all.ts';
import { checkCertificates } from './check-certificates.ts';
import { forgetOldNotifications, forgetOldTexts } from './forget.ts';
import { type PendingForward, selectPendingForwards } from './forwards-queries.ts';
import { selectDueHistories } from './history-queries.ts';
import { selectWaiting, type Waiting } from './notifications-queries.ts';
import { selectDueRecoveries } from './recovery-queries.ts';
import { rereadNotifications } from './reread.ts';

/** Of one round: at twenty starts at a time some seconds. */
const BATCH = 2_000;
/** What the request started itself has had this long. */
const PATIENCE_MS = MINUTE_MS;
const RECOVER_EVERY_MS = HOUR_MS;

type Rounds = { waiting: Round<Waiting>; forwards: Round<PendingForward> };

/** Where this process is in the lists of each database. */
const rounds = new WeakMap<Deps['sql'], Rounds>();

function roundsOf({ sql }: Deps): Rounds {
  const found = rounds.get(sql) ?? { waiting: new Round(BATCH), forwards: new Round(BATCH) };
  rounds.set(sql, found);
  return found;
}

async function sweepNotifications(deps: Deps, before: Date): Promise<void> {
  const part = await roundsOf(deps).waiting.next((after, limit) =>
    selectWaiting(deps.sql, { before, after, limit }),
  );
  await startAll(part, ({ environment, notificationId, scope }) =>
    deps.temporal.ensure(purchaseNotificationContract, { environment, notificationId }, scope),
  );
}

async function sweepForwards(deps: Deps, before: Date): Promise<void> {
  const part = await roundsOf(deps).forwards.next((after, limit) =>
    selectPendingForwards(deps.sql, { before, after, limit }),
  );
  await startAll(part, ({ createdAt: _, ...forward }) =>
    deps.temporal.ensure(purchaseForwardContract, forward),
  );
}

async function sweepRecoveries(deps: Deps, before: Date): Promise<void> {
  const due = await selectDueRecoveries(deps.sql, { before, limit: BATCH });
  await startAll(due, (app) => deps.temporal.ensure(purchaseRecoveryContract, app));
}

async function sweepHistories(deps: Deps, now: Date): Promise<void> {
  const due = await selectDueHistories(deps.sql, { now, limit: BATCH });
  await startAll(due, (app) => deps.temporal.ensure(purchaseHistoryContract, app));
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
