import type { Chapter } from '../../chapter.ts';
import { KEY_PURPOSE } from './app-store/purchase-key.ts';
import { eraseRefundPeople } from './refunds/settings-queries.ts';
import { eraseGrants } from './entitlement/grants-queries.ts';
import { FORWARD_PURPOSE } from './entitlement/settings.ts';
import { eraseImportRows } from './import/queries.ts';
import { erasePurchaseLinks, eraseSignedTexts } from './ownership/erasure-queries.ts';
import {
  AUDIT,
  CHAINS,
  GRANT_AUDIT,
  GRANTS,
  IMPORT_ROWS,
  LINKS,
  NOTICES,
  REFUND_PEOPLE,
  RENEWALS,
  TRANSACTIONS,
} from './person-records-queries.ts';
import { PLAY_KEY_PURPOSE } from './play-store/play-key.ts';
import { ensureMissingPurchaseRuns, reconcilePurchases } from './reconcile.ts';
import { removePurchases } from './retention.ts';

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
  erasure: [
    // Before the links, which find the texts.
    {
      name: 'signed purchases',
      run: eraseSignedTexts,
      records: [CHAINS, TRANSACTIONS, RENEWALS, NOTICES],
    },
    { name: 'purchase links', run: erasePurchaseLinks, records: [LINKS, AUDIT] },
    { name: 'purchase grants', run: eraseGrants, records: [GRANTS, GRANT_AUDIT] },
    { name: 'refund answers', run: eraseRefundPeople, records: [REFUND_PEOPLE] },
    { name: 'purchase imports', run: eraseImportRows, records: [IMPORT_ROWS] },
  ],
  sealed: [
    { table: 'purchase_connections', column: 'sealed_key', purpose: KEY_PURPOSE },
    { table: 'play_connections', column: 'sealed_key', purpose: PLAY_KEY_PURPOSE },
    { table: 'purchase_settings', column: 'sealed_forward_secret', purpose: FORWARD_PURPOSE },
  ],
  ensureMissingRuns: ensureMissingPurchaseRuns,
  reconcile: reconcilePurchases,
};
