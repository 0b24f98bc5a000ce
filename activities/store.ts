import { Context } from '@temporalio/activity';
import type { SystemContext } from '../src/context.ts';
import type { Deps } from '../src/deps.ts';
import { refreshRates } from '../src/modules/rates/refresh.ts';
import { collectDays } from '../src/modules/store/collect.ts';
import { discoverForConnection } from '../src/modules/store/discover.ts';
import { finishSyncRun } from '../src/modules/store/finish-run.ts';
import { refreshAppsDaily } from '../src/modules/store/refresh-daily.ts';
import { startSync } from '../src/modules/store/start-sync.ts';
import { acceptKey, dropCandidate, verifyKey } from '../src/modules/store/verify.ts';
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
