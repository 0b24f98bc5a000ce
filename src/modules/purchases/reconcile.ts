import type { Deps } from '../../context.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import { purchaseImportContract } from '../../temporal/contracts/purchases.ts';
import { ensureAll } from '../../temporal/ensure.ts';
import { ensureMissingNotificationRuns, reconcileAppStore } from './app-store/reconcile.ts';
import { expireGrants } from './entitlement/grants.ts';
import { selectOpenImports } from './import/queries.ts';
import { foldChains } from './overview/fold-chains.ts';
import { reconcilePlayStore } from './play-store/ask-due.ts';
import { ensureMissingRefundRuns, sweepRefundRequests } from './refunds/reconcile.ts';
import { expireNotifications, expireSignedTexts } from './retention.ts';

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
