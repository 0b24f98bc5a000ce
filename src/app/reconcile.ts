import type { Deps } from '../context.ts';
import { reconcileEvents } from '../event-store/keep.ts';
import { reconcileApps } from '../modules/apps/index.ts';
import { reconcileBackends } from '../modules/backend/index.ts';
import { reconcileAccounts, reconcileOrganizationDeletions } from '../modules/identity/index.ts';
import { reconcileLogs } from '../modules/logs/index.ts';
import { reconcilePreviews } from '../modules/preview/index.ts';
import { reconcilePurchases } from '../modules/purchases/index.ts';
import { reconcileStore } from '../modules/sales/index.ts';
import { reconcileWebhooks } from '../modules/webhooks/index.ts';
import { MINUTE_MS, sleep } from '../shared/time.ts';

const EVERY_MS = MINUTE_MS;

type Reconciler = { name: string; run: (deps: Deps) => Promise<void> };

/**
 * Compares rows with runs and starts what is missing: Temporal's state can be lost, the rows are
 * the truth. Each chapter that has lasting work has its line here.
 */
const RECONCILERS: readonly Reconciler[] = [
  { name: 'apps', run: reconcileApps },
  { name: 'events', run: reconcileEvents },
  { name: 'organizations', run: reconcileOrganizationDeletions },
  { name: 'purchases', run: reconcilePurchases },
  { name: 'store', run: reconcileStore },
  { name: 'webhooks', run: reconcileWebhooks },
  { name: 'backends', run: reconcileBackends },
  { name: 'previews', run: reconcilePreviews },
  { name: 'logs', run: reconcileLogs },
  { name: 'accounts', run: reconcileAccounts },
];

export async function reconcileOnce(deps: Deps): Promise<void> {
  for (const { name, run } of RECONCILERS) {
    try {
      await run(deps);
    } catch (thrown) {
      deps.log.warn(
        { err: thrown, reconciler: name },
        'Runs could not be compared with their rows',
      );
    }
  }
}

/** At start and then every minute, until `signal` is aborted. */
export async function reconcileForever(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await reconcileOnce(deps);
    await sleep(EVERY_MS, signal);
  }
}
