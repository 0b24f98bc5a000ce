import { Context } from '@temporalio/activity';
import type { Deps, SystemContext } from '../src/context.ts';
import {
  acceptKey,
  collectDays,
  discoverForConnection,
  dropCandidate,
  finishSyncRun,
  refreshAppsDaily,
  refreshRates,
  startSync,
  verifyKey,
} from '../src/modules/sales/index.ts';
import type { CollectInput } from '../src/temporal/contracts/store.ts';
import { activity } from './activity.ts';

/** An attempt that the server has given up asks the store for nothing more. */
const collectWhileWanted = (ctx: SystemContext, input: CollectInput) =>
  collectDays(ctx, input, Context.current().cancellationSignal);

export function createStoreActivities(deps: Deps) {
  return {
    verifyStoreKey: activity(deps, verifyKey),
    acceptStoreKey: activity(deps, acceptKey),
    dropStoreCandidate: activity(deps, dropCandidate),
    discoverStoreApps: activity(deps, discoverForConnection),
    startStoreSync: activity(deps, startSync),
    collectStoreDays: activity(deps, collectWhileWanted),
    finishStoreSync: activity(deps, finishSyncRun),
    refreshStoreAppsDaily: activity(deps, refreshAppsDaily),
    refreshExchangeRates: activity(deps, (ctx: SystemContext, _input: object) => refreshRates(ctx)),
  };
}

export type StoreActivities = ReturnType<typeof createStoreActivities>;
