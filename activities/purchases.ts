import type { Deps } from '../src/context.ts';
import {
  applyNotification,
  forwardNotification,
  giveUpForward,
  planRecovery,
  readHistories,
  recoverPage,
  refreshPurchase,
} from '../src/modules/purchases/index.ts';
import { activity } from './activity.ts';

export function createPurchaseActivities(deps: Deps) {
  return {
    applyPurchaseNotification: activity(deps, applyNotification),
    refreshPurchase: activity(deps, refreshPurchase),
    forwardPurchaseNotification: activity(deps, forwardNotification),
    giveUpPurchaseForward: activity(deps, giveUpForward),
    planPurchaseRecovery: activity(deps, planRecovery),
    recoverPurchasePage: activity(deps, recoverPage),
    readPurchaseHistories: activity(deps, readHistories),
  };
}

export type PurchaseActivities = ReturnType<typeof createPurchaseActivities>;
