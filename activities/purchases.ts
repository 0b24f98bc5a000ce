import type { Deps } from '../src/deps.ts';
import { applyNotification } from '../src/modules/purchases/apply-notification.ts';
import { forwardNotification, giveUpForward } from '../src/modules/purchases/forward.ts';
import { readHistories } from '../src/modules/purchases/read-history.ts';
import { planRecovery, recoverPage } from '../src/modules/purchases/recover.ts';
import { refreshApp } from '../src/modules/purchases/refresh-app.ts';
import { activity } from './activity.ts';

export function createPurchaseActivities(deps: Deps) {
  return {
    applyPurchaseNotification: activity(deps, applyNotification),
    refreshPurchase: activity(deps, refreshApp),
    forwardPurchaseNotification: activity(deps, forwardNotification),
    giveUpPurchaseForward: activity(deps, giveUpForward),
    planPurchaseRecovery: activity(deps, planRecovery),
    recoverPurchasePage: activity(deps, recoverPage),
    readPurchaseHistories: activity(deps, readHistories),
  };
}

export type PurchaseActivities = ReturnType<typeof createPurchaseActivities>;
