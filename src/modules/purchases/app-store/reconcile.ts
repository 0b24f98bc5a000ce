import type { Deps } from '../../../context.ts';
import { Round } from '../../../shared/round.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/time.ts';
import {
  purchaseForwardContract,
  purchaseHistoryContract,
  purchaseNotificationContract,
  purchaseRecoveryContract,
} from '../../../temporal/contracts/purchases.ts';
import { ensureAll, ensureMissing } from '../../../temporal/ensure.ts';
import { checkCertificates } from './certificates/chain-watch.ts';
import { selectDueHistories, selectDueRecoveries } from './history-queries.ts';
import { readCustomersOfTexts } from './notices/notices.ts';
import { reopenUnnoticed } from './notices/queries.ts';
import { type PendingForward, selectPendingForwards } from './notifications/forwards-queries.ts';
import * as queries from './notifications/queries.ts';
import { rereadNotifications } from './notifications/reread.ts';

/** Nearly all are applied by then and need no run marker. */
const APPLIED_WITHIN_MS = 2 * SECOND_MS;
const BATCH = 2_000;
const MIN_AGE_MS = MINUTE_MS;
const RECOVER_EVERY_MS = HOUR_MS;

const newRounds = () => ({
  notifications: new Round<queries.PendingNotification>(BATCH),
  forwards: new Round<PendingForward>(BATCH),
});

const rounds = new WeakMap<Deps['sql'], ReturnType<typeof newRounds>>();

function ensureRounds({ sql }: Pick<Deps, 'sql'>) {
  const position = rounds.get(sql) ?? newRounds();
  rounds.set(sql, position);
  return position;
}

const ensureRun = (temporal: Deps['temporal'], notification: queries.PendingNotification) => {
  const { environment, notificationId, scope } = notification;
  return temporal.ensure(purchaseNotificationContract, { environment, notificationId }, scope);
};

export function ensureMissingNotificationRuns(
  deps: Pick<Deps, 'clock' | 'sql' | 'temporal'>,
): Promise<boolean> {
  const before = new Date(deps.clock().getTime() - APPLIED_WITHIN_MS);
  return ensureMissing(deps, {
    select: (sql, limit) => queries.selectNotificationsWithoutRun(sql, { before, limit }),
    ensure: ensureRun,
    markEnsured: queries.markRunsEnsured,
  });
}

type SweepDeps = Pick<Deps, 'clock' | 'sql' | 'temporal'>;

async function sweepNotifications(deps: SweepDeps, before: Date): Promise<void> {
  const part = await ensureRounds(deps).notifications.next((after, limit) =>
    queries.selectPendingNotifications(deps.sql, { before, after, limit }),
  );
  await ensureAll(part, (notification) => ensureRun(deps.temporal, notification));
}

async function sweepForwards(deps: SweepDeps, before: Date): Promise<void> {
  const part = await ensureRounds(deps).forwards.next((after, limit) =>
    selectPendingForwards(deps.sql, { before, after, limit }),
  );
  await ensureAll(part, ({ createdAt: _, ...forward }) =>
    deps.temporal.ensure(purchaseForwardContract, forward),
  );
}

async function sweepHistories({ sql, temporal }: SweepDeps, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RECOVER_EVERY_MS);
  const recoveries = await selectDueRecoveries(sql, { before, limit: BATCH });
  await ensureAll(recoveries, (app) => temporal.ensure(purchaseRecoveryContract, app));
  const histories = await selectDueHistories(sql, { now, limit: BATCH });
  await ensureAll(histories, (app) => temporal.ensure(purchaseHistoryContract, app));
}

export async function reconcileAppStore(
  deps: Pick<Deps, 'askRevocation' | 'clock' | 'log' | 'signatures' | 'sql' | 'temporal'>,
): Promise<void> {
  const now = deps.clock();
  const before = new Date(now.getTime() - MIN_AGE_MS);
  await reopenUnnoticed(deps.sql);
  await sweepNotifications(deps, before);
  await sweepForwards(deps, before);
  await sweepHistories(deps, now);
  await checkCertificates(deps);
  await rereadNotifications(deps);
  await readCustomersOfTexts(deps);
}
