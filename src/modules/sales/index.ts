export { getAnalytics, readAppSales } from './analytics/get.ts';
export type { PaidUnits } from './analytics/metrics.ts';
export type { Analytics } from './analytics/model.ts';
export { readSalesOfApp } from './analytics/sales-of-app.ts';
export { createSalesFigures } from './analytics/sales-figures.ts';
export { resolveWindow } from './analytics/window.ts';
export { scheduleSyncAll } from './analytics/schedule.ts';
export { salesChapter } from './chapter.ts';
export { startSync } from './collection/actor.ts';
export { selectStoreApps } from './collection/apps-queries.ts';
export { collectDays, RESERVED_REQUESTS } from './collection/collect.ts';
export { recordReport } from './collection/collect-day.ts';
export { selectKey } from './collection/connection-queries.ts';
export { discoverForConnection, refreshAppsDaily } from './collection/discover.ts';
export { finishSyncRun } from './collection/finish-run.ts';
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
export { importRatesFile } from './rates/import-file.ts';
export { refreshRates } from './rates/refresh.ts';
export { createRateSource } from './rates/source.ts';
export { readReportedSubscribers } from './subscriptions/reported.ts';
export { readSubscriptionTerms } from './terms/read.ts';
export { readReportedProducts } from './terms/reported-products.ts';
