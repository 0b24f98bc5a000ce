import { Context } from '@temporalio/activity';
import type { CleanupStep } from '../src/chapter.ts';
import type { Deps } from '../src/context.ts';
import { eventMaintenance } from '../src/event-store/keep.ts';
import * as apps from '../src/modules/apps/index.ts';
import * as backend from '../src/modules/backend/index.ts';
import * as digests from '../src/modules/digests/index.ts';
import * as identity from '../src/modules/identity/index.ts';
import * as insights from '../src/modules/insights/index.ts';
import * as messages from '../src/modules/messages/index.ts';
import * as preview from '../src/modules/preview/index.ts';
import * as purchases from '../src/modules/purchases/index.ts';
import * as reviews from '../src/modules/reviews/index.ts';
import * as sales from '../src/modules/sales/index.ts';
import * as watches from '../src/modules/watches/index.ts';
import * as storeReports from '../src/modules/store-reports/index.ts';
import * as webhooks from '../src/modules/webhooks/index.ts';
import type { AppRunInput } from '../src/temporal/contracts/apps.ts';
import type { PreviewRunInput } from '../src/temporal/contracts/preview.ts';
import type { CollectInput } from '../src/temporal/contracts/store.ts';
import { activities, askingActivities } from './activity.ts';

const ASKS_EVENTS = {
  writeDigest: digests.writeDigest,
  checkAlerts: insights.checkAlerts,
  checkWatches: watches.checkWatches,
  answerRefundRequest: purchases.answerRefundRequest,
};

/** Names are in histories and never change. */
export function createActivities(deps: Deps, cleanupSteps: readonly CleanupStep[]) {
  const maintenance = eventMaintenance(deps);
  return {
    appCleanupSteps: async () => cleanupSteps.map(({ name }) => name),
    ...askingActivities(deps, ASKS_EVENTS),
    ...activities(deps, {
      isAppWanted: apps.isAppWanted,
      createAppDataset: apps.createAppDataset,
      createAppFunnel: apps.createAppFunnel,
      activateApp: apps.activateApp,
      undoAppProvisioning: apps.undoAppProvisioning,
      runAppCleanupStep: (ctx, input: AppRunInput & { step: string }) =>
        apps.runCleanupStep(ctx, cleanupSteps, input),

      claimBackend: backend.claimBackend,
      readBackend: backend.readBackend,
      createBackend: backend.createBackend,
      searchBackend: backend.searchBackend,
      releaseBackend: backend.releaseBackend,
      attachBackend: backend.attachBackend,
      checkBackend: backend.checkBackend,

      sendDigest: digests.sendDigest,
      sendMessage: messages.sendMessage,
      giveUpMessage: messages.giveUpMessage,

      planEventJobs: (ctx, _input: Record<string, never>) => maintenance.plan(ctx),
      runEventJob: maintenance.run,
      finishEventMaintenance: (ctx, _input: Record<string, never>) => maintenance.finish(ctx),

      deleteOrganizationApps: identity.deleteOrganizationApps,
      stopOrganizationRuns: identity.stopOrganizationRuns,
      removeOrganizationRows: identity.removeOrganizationRows,

      runPreview: (ctx, input: PreviewRunInput) => {
        const { heartbeat, cancellationSignal: signal } = Context.current();
        return preview.runSession(ctx, { ...input, heartbeat: () => heartbeat(), signal });
      },
      finishPreview: preview.finishPreview,

      applyPurchaseNotification: purchases.applyPurchaseNotification,
      refreshPurchase: purchases.refreshPurchase,
      forwardPurchaseNotification: purchases.forwardPurchaseNotification,
      giveUpPurchaseForward: purchases.giveUpPurchaseForward,
      planPurchaseRecovery: purchases.planPurchaseRecovery,
      recoverPurchasePage: purchases.recoverPurchasePage,
      readPurchaseHistories: purchases.readPurchaseHistories,
      importPurchases: purchases.importPurchases,
      giveUpRefundRequest: purchases.giveUpRefundRequest,
      askPlayPurchases: purchases.askPlayPurchases,
      readPlayVoids: purchases.readPlayVoids,

      verifyStoreKey: sales.verifyKey,
      acceptStoreKey: sales.acceptKey,
      dropStoreCandidate: sales.dropCandidate,
      discoverStoreApps: sales.discoverForConnection,
      startStoreSync: sales.startSync,
      // A timed-out attempt stops its requests to the store.
      collectStoreDays: (ctx, input: CollectInput) =>
        sales.collectDays(ctx, input, Context.current().cancellationSignal),
      finishStoreSync: sales.finishSyncRun,
      refreshStoreAppsDaily: sales.refreshAppsDaily,
      collectStoreReports: storeReports.collectStoreReports,
      collectStoreReviews: reviews.collectReviews,
      readPlayReports: sales.readPlayReports,
      refreshExchangeRates: (ctx, _input: object) => sales.refreshRates(ctx),

      attemptWebhookDelivery: webhooks.attemptWebhookDelivery,
      giveUpWebhookDelivery: webhooks.giveUpWebhookDelivery,
    }),
  };
}

export type Activities = ReturnType<typeof createActivities>;

/** On the file-work queue; runs of earlier releases use the other one. */
export function onFilesQueue({
  runEventJob,
  finishEventMaintenance,
}: Activities): Pick<Activities, 'finishEventMaintenance' | 'runEventJob'> {
  return { runEventJob, finishEventMaintenance };
}
