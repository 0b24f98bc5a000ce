import type { Chapter } from '../../chapter.ts';
import { unlinkDeletedApp } from './collection/apps-queries.ts';
import { STORE_KEY_PURPOSE } from './collection/opened-key.ts';
import { reconcileStore } from './collection/reconcile.ts';

export const salesChapter: Chapter = {
  name: 'store',

  tables: [
    'analytics_days',
    'analytics_packs',
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
  ],
  // Sales belong to the store account and stay; only the link is deleted.
  cleanup: {
    name: 'store link',
    run: ({ deps }, { orgId, appId }) => unlinkDeletedApp(deps.sql, orgId, appId),
  },
  sealed: [
    { table: 'store_candidates', column: 'sealed_key', purpose: STORE_KEY_PURPOSE },
    { table: 'store_connections', column: 'sealed_key', purpose: STORE_KEY_PURPOSE },
  ],
  reconcile: reconcileStore,
};
