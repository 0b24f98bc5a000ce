import type { Chapter } from '../../chapter.ts';
import { KEY_PURPOSE } from './app-store/connection/purchase-key.ts';
import { FORWARD_PURPOSE } from './entitlement/settings.ts';
import { PURCHASES_OF_PERSON } from './person-records-queries.ts';
import { PLAY_KEY_PURPOSE } from './play-store/connection.ts';
import { ensureMissingPurchaseRuns, reconcilePurchases } from './reconcile.ts';
import { removePurchases } from './retention.ts';

export type { CustomerContext } from './customers/get.ts';
export { REASONS } from './customers/model.ts';
export { customerStates } from './customers/states.ts';
export { createChainWatch } from './app-store/certificates/chain-watch.ts';
export { applyPurchaseNotification } from './app-store/notifications/apply.ts';
export { noticeExists } from './app-store/notices/notices.ts';
export { countOpenNotices, type OpenNotices } from './app-store/notices/queries.ts';
export {
  forwardPurchaseNotification,
  giveUpPurchaseForward,
} from './app-store/notifications/forward.ts';
export { answerRefundRequest, giveUpRefundRequest } from './refunds/answer.ts';
export { readPurchaseHistories } from './app-store/read-history.ts';
export { planPurchaseRecovery, recoverPurchasePage } from './app-store/recover.ts';
export { refreshPurchase } from './app-store/refresh.ts';
export { grantExists } from './entitlement/grants-queries.ts';
export { type EntitledBy, entitledPeople } from './entitlement/entitled-people.ts';
export { selectNames } from './entitlement/names-queries.ts';
export { selectKnownProducts } from './entitlement/names.ts';
export { createProfiles } from './entitlement/profiles.ts';
export { importPurchasesFile } from './import/import-file.ts';
export { importExists } from './import/queries.ts';
export { importPurchases } from './import/step.ts';
export { countTrials } from './ledger/facts-queries.ts';
export { selectPayments } from './ledger/payments-queries.ts';
export { countRefundRequests } from './ledger/refund-requests-queries.ts';
export { selectRecentChanges } from './ledger/recent-changes-queries.ts';
export type { Facts } from './ledger/record-facts.ts';
export { askPlayPurchases } from './play-store/ask-due.ts';
export { readPlayVoids } from './play-store/read-voids.ts';
export { createRefresher } from './refresher.ts';

export const purchasesChapter: Chapter = {
  name: 'purchases',
  tables: [
    'play_connections',
    'play_purchases',
    'purchase_audit',
    'purchase_chains',
    'purchase_connections',
    'purchase_entitlements',
    'purchase_extensions',
    'purchase_folds',
    'purchase_forwards',
    'purchase_grant_audit',
    'purchase_grants',
    'purchase_import_rows',
    'purchase_imports',
    'purchase_links',
    'purchase_notices',
    'purchase_notification_apps',
    'purchase_period_lengths',
    'purchase_recoveries',
    'purchase_refund_answers',
    'purchase_refund_people',
    'purchase_refund_requests',
    'purchase_renewals',
    'purchase_settings',
    'purchase_transactions',
  ],
  cleanup: { name: 'purchases', run: removePurchases },
  people: PURCHASES_OF_PERSON,
  sealed: [
    { table: 'purchase_connections', column: 'sealed_key', purpose: KEY_PURPOSE },
    { table: 'play_connections', column: 'sealed_key', purpose: PLAY_KEY_PURPOSE },
    { table: 'purchase_settings', column: 'sealed_forward_secret', purpose: FORWARD_PURPOSE },
  ],
  ensureMissingRuns: ensureMissingPurchaseRuns,
  reconcile: reconcilePurchases,
};
