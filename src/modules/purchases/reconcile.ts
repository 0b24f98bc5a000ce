import type { Deps } from '../../context.ts';
import { Round } from '../../shared/round.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import {
  purchaseImportContract,
  purchaseRefundAnswerContract,
} from '../../temporal/contracts/purchases.ts';
import { ensureAll, ensureMissing } from '../../temporal/ensure.ts';
import { ensureMissingNotificationRuns, reconcileAppStore } from './app-store/reconcile.ts';
import { expireGrants } from './entitlement/grants.ts';
import { selectOpenImports } from './import/queries.ts';
import type { RefundKey } from './model/refund-store.ts';
import { foldChains } from './overview/read-folds.ts';
import { reconcilePlayStore } from './play-store/ask-due.ts';
import * as queries from './refunds/requests-queries.ts';
import { expireNotifications, expireSignedTexts } from './retention.ts';

const BATCH = 2_000;

const ensureRun = (
  temporal: Deps['temporal'],
  { orgId, appId, environment, requestId }: RefundKey,
) => temporal.ensure(purchaseRefundAnswerContract, { orgId, appId, environment, requestId });

function ensureMissingRefundRuns(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: queries.selectRequestsWithoutRun,
    ensure: ensureRun,
    markEnsured: queries.markRequestRuns,
  });
}

const rounds = new WeakMap<Deps['sql'], Round<queries.PendingRequest>>();

/** Runs that Temporal lost. */
async function sweepRefundRequests(
  { sql, temporal }: Pick<Deps, 'sql' | 'temporal'>,
  before: Date,
): Promise<void> {
  const round = rounds.get(sql) ?? new Round<queries.PendingRequest>(BATCH);
  rounds.set(sql, round);
  const part = await round.next((after, limit) =>
    queries.selectPendingRequests(sql, { before, after, limit }),
  );
  await ensureAll(part, (request) => ensureRun(temporal, request));
}

const IMPORTS = 2_000;
/** A quarter of a minute at most; queries fold the rest. */
const FOLDS = 50_000;

export async function reconcilePurchases(
  deps: Pick<Deps, 'askRevocation' | 'clock' | 'log' | 'signatures' | 'sql' | 'temporal'>,
): Promise<void> {
  await reconcileAppStore(deps);
  await sweepRefundRequests(deps, new Date(deps.clock().getTime() - MINUTE_MS));
  const imports = await selectOpenImports(deps.sql, IMPORTS);
  await ensureAll(imports, (app) => deps.temporal.ensure(purchaseImportContract, app));
  await reconcilePlayStore(deps);
  await expireGrants(deps);
  await expireNotifications(deps);
  await expireSignedTexts(deps);
  await foldChains(deps, null, FOLDS);
}

export async function ensureMissingPurchaseRuns(
  deps: Pick<Deps, 'clock' | 'sql' | 'temporal'>,
): Promise<boolean> {
  const areNotificationsLeft = await ensureMissingNotificationRuns(deps);
  return (await ensureMissingRefundRuns(deps)) || areNotificationsLeft;
}
