import type { Chapter } from '../../chapter.ts';
import { unlinkDeletedApp } from './collection/apps-queries.ts';
import { STORE_KEY_PURPOSE } from './collection/opened-key.ts';
import { reconcileStore } from './collection/reconcile.ts';
import { PLAY_REPORTS_KEY_PURPOSE } from './google-play/connection.ts';
import { reconcilePlayReports } from './google-play/reconcile.ts';
import { deleteHookOfApp } from './webhook/queries.ts';
import { HOOK_SECRET_PURPOSE } from './webhook/secret.ts';

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
