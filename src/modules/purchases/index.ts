export { createChainWatch } from './app-store/certificates/chain-watch.ts';
export { applyPurchaseNotification } from './app-store/notifications/apply.ts';
export { countOpenNotices, noticeExists, type OpenNotices } from './app-store/notices/queries.ts';
export {
  forwardPurchaseNotification,
  giveUpPurchaseForward,
} from './app-store/notifications/forward.ts';
export { answerRefundRequest, giveUpRefundRequest } from './refunds/answer.ts';
export { readPurchaseHistories } from './app-store/read-history.ts';
export { planPurchaseRecovery, recoverPurchasePage } from './app-store/recover.ts';
export { refreshPurchase } from './app-store/refresh.ts';
export { purchasesChapter } from './chapter.ts';
export { grantExists } from './entitlement/grants-queries.ts';
export { type EntitledBy, entitledPeople } from './entitlement/entitled-people.ts';
export { selectNames } from './entitlement/names-queries.ts';
export { selectKnownProducts } from './entitlement/known-products.ts';
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
