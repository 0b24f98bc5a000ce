import type { Chapter } from '../../chapter.ts';
import { unlinkDeletedApp } from './collection/apps-queries.ts';
import { STORE_KEY_PURPOSE } from './collection/opened-key.ts';
import { reconcileStore } from './collection/reconcile.ts';
import { PLAY_REPORTS_KEY_PURPOSE, reconcilePlayReports } from './google-play/connection.ts';
import { HOOK_SECRET_PURPOSE } from './webhook/manage.ts';
import { deleteHookOfApp } from './webhook/queries.ts';

export { getAnalytics, readAppSales, readSalesOfApp } from './analytics/get.ts';
export type { PaidUnits } from './analytics/metrics.ts';
export type { Analytics } from './analytics/model.ts';
export { createSalesFigures } from './analytics/sales-figures.ts';
export { resolveWindow } from './analytics/window.ts';
export { syncAllHourly } from './analytics/sync-all.ts';
export { startSync } from './collection/actor.ts';
export { selectStoreApps } from './collection/apps-queries.ts';
export { collectDays, RESERVED_REQUESTS } from './collection/collect.ts';
export { recordReport } from './collection/collect-day.ts';
export { selectKey } from './collection/connection-queries.ts';
export { discoverForConnection, refreshAppsDaily } from './collection/discover.ts';
export { finishSyncRun } from './collection/note-end.ts';
export { selectCatalogue } from './collection/products-queries.ts';
export { createKeySlots } from './collection/key-slots.ts';
export { openKey } from './collection/opened-key.ts';
export { removeRawReports } from './collection/raw-reports.ts';
export { type Release, readReleases } from './collection/releases.ts';
export { insertReleases } from './collection/releases-queries.ts';
export { toAppError } from './collection/sync-error.ts';
export { acceptKey, dropCandidate, verifyKey } from './collection/verify.ts';
export { CurrencyParameter } from './currency/model.ts';
export { currencyOfAnswer, currencyOfOrganization } from './currency/settings.ts';
export {
  answerOfRows,
  DAY_STATES,
  type DayChange,
  type DayRecord,
  isCovered,
  nextDay,
} from './days/day-state.ts';
export { readPlayReports } from './google-play/read-reports.ts';
export { listPriceChanges, type PriceChange } from './prices/list-changes.ts';
export { importRatesFile } from './rates/import.ts';
export { refreshRates } from './rates/refresh.ts';
export { createRateSource } from './rates/source.ts';
export { readReportedSubscribers } from './subscriptions/get.ts';
export { readSubscriptionTerms } from './terms/read.ts';
export { readReportedProducts } from './terms/reported-products.ts';

export const salesChapter: Chapter = {
  name: 'store',

  tables: [
    'analytics_days',
    'analytics_packs',
    'google_play_accounts',
    'google_play_files',
    'google_play_packages',
    'google_play_rows',
    'organization_settings',
    'store_apps',
    'store_candidates',
    'store_connections',
    'store_days',
    'store_facts',
    'store_products',
    'store_releases',
    'store_subscription_days',
    'store_subscriptions',
    'store_syncs',
    'store_webhook_deliveries',
    'store_webhooks',
  ],
  // Sales belong to the store account and stay; only the link is deleted.
  cleanup: {
    name: 'store link',
    run: async ({ deps }, { orgId, appId }) => {
      await deleteHookOfApp(deps.sql, { orgId, appId });
      await unlinkDeletedApp(deps.sql, orgId, appId);
    },
  },
  sealed: [
    { table: 'google_play_accounts', column: 'sealed_key', purpose: PLAY_REPORTS_KEY_PURPOSE },
    { table: 'store_candidates', column: 'sealed_key', purpose: STORE_KEY_PURPOSE },
    { table: 'store_connections', column: 'sealed_key', purpose: STORE_KEY_PURPOSE },
    { table: 'store_webhooks', column: 'sealed_previous_secret', purpose: HOOK_SECRET_PURPOSE },
    { table: 'store_webhooks', column: 'sealed_secret', purpose: HOOK_SECRET_PURPOSE },
  ],
  reconcile: async (deps) => {
    await reconcileStore(deps);
    await reconcilePlayReports(deps);
  },
};
