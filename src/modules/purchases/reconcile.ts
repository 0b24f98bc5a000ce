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
import { type PendingNotification, selectPendingNotifications } from './notifications-queries.ts';
import { selectDueRecoveries } from './recovery-queries.ts';
import { rereadNotifications } from './reread.ts';

/** Rows of a round: at twenty starts at a time some seconds. */
const BATCH = 2_000;
/** Age before a row is started here: its own request starts it first. */
const MIN_AGE_MS = MINUTE_MS;
const RECOVER_EVERY_MS = HOUR_MS;

type Rounds = { notifications: Round<PendingNotification>; forwards: Round<PendingForward> };

/** The position of this process in each list. */
const rounds = new WeakMap<Deps['sql'], Rounds>();

function roundsOf({ sql }: Deps): Rounds {
  const position = rounds.get(sql) ?? {
    notifications: new Round(BATCH),
    forwards: new Round(BATCH),
  };
  rounds.set(sql, position);
  return position;
}

async function sweepNotifications(deps: Deps, before: Date): Promise<void> {
  const part = await roundsOf(deps).notifications.next((after, limit) =>
    selectPendingNotifications(deps.sql, { before, after, limit }),
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

/** Starts the workflows that rows still need, and deletes rows past their retention. */
export async function reconcilePurchases(deps: Deps): Promise<void> {
  const now = deps.clock();
  const before = new Date(now.getTime() - MIN_AGE_MS);
  await sweepNotifications(deps, before);
  await sweepForwards(deps, before);
  await sweepRecoveries(deps, new Date(now.getTime() - RECOVER_EVERY_MS));
  await sweepHistories(deps, now);
  await checkCertificates(deps);
  await forgetOldNotifications(deps);
  await forgetOldTexts(deps);
  await rereadNotifications(deps);
}
