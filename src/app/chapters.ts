import { deleteAppEvents } from '../event-store/append.ts';
import { type CleanupStep, removeApp } from '../modules/apps/index.ts';
import { detachBackend, PASSWORD_PURPOSE } from '../modules/backend/index.ts';
import { deleteAppFunnels } from '../modules/funnels/index.ts';
import { deleteLogsOfApp, deleteLogsOfPerson } from '../modules/logs/index.ts';
import { removeMarketing } from '../modules/marketing/index.ts';
import type { ErasureStep } from '../modules/people/index.ts';
import { removePreview } from '../modules/preview/index.ts';
import {
  erasePurchaseLinks,
  eraseSignedTexts,
  FORWARD_PURPOSE,
  KEY_PURPOSE,
  removePurchases,
} from '../modules/purchases/index.ts';
import { STORE_KEY_PURPOSE, unlinkDeletedApp } from '../modules/sales/index.ts';
import type { SealedColumn } from '../modules/secrets/index.ts';
import { webhookSecretScope } from '../modules/webhooks/index.ts';

/**
 * What the deletion of an app removes, in this order. Every chapter that keeps something per app
 * has its line here; rows that reference `apps` go with the last step.
 */
export const CLEANUP_STEPS: readonly CleanupStep[] = [
  { name: 'events', run: ({ deps }, app) => deleteAppEvents(deps.sql, app) },
  { name: 'funnels', run: ({ deps }, app) => deleteAppFunnels(deps.sql, app) },
  { name: 'backend', run: ({ deps }, app) => detachBackend(deps.sql, app) },
  { name: 'preview', run: removePreview },
  { name: 'logs', run: ({ deps }, app) => deleteLogsOfApp(deps.sql, app) },
  { name: 'marketing', run: removeMarketing },
  {
    name: 'store link',
    run: ({ deps }, { orgId, appId }) => unlinkDeletedApp(deps.sql, orgId, appId),
  },
  { name: 'purchases', run: removePurchases },
  { name: 'app', run: ({ deps }, { orgId, appId }) => removeApp(deps.sql, orgId, appId) },
];

/** What the erasure of a person removes beside the events, in the erasure's transaction. */
export const ERASURE_STEPS: readonly ErasureStep[] = [
  // By the links, so before they are gone.
  { name: 'signed purchases', run: eraseSignedTexts },
  { name: 'purchase links', run: erasePurchaseLinks },
  { name: 'log entries', run: deleteLogsOfPerson },
];

/** Every column of sealed secrets; a test finds columns that are missing here. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'backend_projects', column: 'sealed_database_password', purpose: PASSWORD_PURPOSE },
  { table: 'purchase_connections', column: 'sealed_key', purpose: KEY_PURPOSE },
  { table: 'purchase_settings', column: 'sealed_forward_secret', purpose: FORWARD_PURPOSE },
  { table: 'store_candidates', column: 'sealed_key', purpose: STORE_KEY_PURPOSE },
  { table: 'store_connections', column: 'sealed_key', purpose: STORE_KEY_PURPOSE },
  { table: 'webhooks', column: 'sealed_secret', purpose: webhookSecretScope('').purpose },
];
