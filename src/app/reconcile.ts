import type { Deps } from '../context.ts';
import { reconcileEvents } from '../event-store/keep.ts';
import { ensureMissingAppRuns, reconcileApps } from '../modules/apps/index.ts';
import { reconcileBackends } from '../modules/backend/index.ts';
import {
  ensureMissingDeletionRuns,
  reconcileAccounts,
  reconcileOrganizationDeletions,
} from '../modules/identity/index.ts';
import { reconcileLogs } from '../modules/logs/index.ts';
import { ensureMissingPreviewRuns, reconcilePreviews } from '../modules/preview/index.ts';
import { ensureMissingNotificationRuns, reconcilePurchases } from '../modules/purchases/index.ts';
import { reconcileStore } from '../modules/sales/index.ts';
import { ensureMissingDeliveryRuns, reconcileWebhooks } from '../modules/webhooks/index.ts';
import { MINUTE_MS, SECOND_MS, sleep } from '../shared/time.ts';
import { type ServiceLock, withLock } from '../storage/locks.ts';

type Step<Result> = { name: string; run: (deps: Deps) => Promise<Result> };

/** Runs that were not ensured after the commit of their rows. Returns whether there may be more. */
const MISSING: readonly Step<boolean>[] = [
  { name: 'apps', run: ensureMissingAppRuns },
  { name: 'organizations', run: ensureMissingDeletionRuns },
  { name: 'previews', run: ensureMissingPreviewRuns },
  { name: 'webhooks', run: ensureMissingDeliveryRuns },
  { name: 'purchases', run: ensureMissingNotificationRuns },
];

/** Runs that Temporal lost, and what else is due by rows and time. */
const DUE: readonly Step<void>[] = [
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

/** A chapter that fails does not keep the others from their turn. */
async function runEach<Result>(deps: Deps, steps: readonly Step<Result>[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const { name, run } of steps) {
    try {
      results.push(await run(deps));
    } catch (err) {
      deps.log.warn({ err, reconciler: name }, 'reconciling failed; the next round retries');
    }
  }
  return results;
}

/** One round of every chapter. Returns whether there may be more. */
export async function ensureMissingRuns(deps: Deps): Promise<boolean> {
  return (await runEach(deps, MISSING)).includes(true);
}

/** Compares rows with runs and starts what is missing: rows are the truth, Temporal's state can be lost. */
export async function reconcileOnce(deps: Deps): Promise<void> {
  await runEach(deps, DUE);
}

/** Repeats `round` in at most one process at a time, at once while it returns that there is more. */
async function repeatInTurn(
  deps: Deps,
  signal: AbortSignal,
  { lock, everyMs, round }: { lock: ServiceLock; everyMs: number; round: () => Promise<boolean> },
): Promise<void> {
  while (!signal.aborted) {
    const turn = await withLock(deps.sql, lock, round).catch((err: unknown) => {
      deps.log.warn({ err }, 'reconciling failed; the next round retries');
      return null;
    });
    if (turn?.value !== true) await sleep(everyMs, signal);
  }
}

/** Both at start, then until `signal` is aborted. */
export async function reconcileForever(deps: Deps, signal: AbortSignal): Promise<void> {
  await Promise.all([
    repeatInTurn(deps, signal, {
      lock: 'missingRuns',
      everyMs: 2 * SECOND_MS,
      round: () => ensureMissingRuns(deps),
    }),
    repeatInTurn(deps, signal, {
      lock: 'lostRuns',
      everyMs: MINUTE_MS,
      round: () => reconcileOnce(deps).then(() => false),
    }),
  ]);
}
