import { PASSWORD_PURPOSE } from '../backend/claim.ts';
import { KEY_PURPOSE } from '../purchases/purchase-key.ts';
import { FORWARD_PURPOSE } from '../purchases/settings.ts';
import { STORE_KEY_PURPOSE } from '../store/opened-key.ts';
import { webhookSecretScope } from '../webhooks/secret.ts';

export type SealedColumn = {
  table: string;
  /** Text, null where there is no secret; the table also has `org_id`. */
  column: string;
  /** What the record is bound to, beside the organization. */
  purpose: string;
};

/** Every place where sealed secrets lie; a test finds columns that are missing here. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'backend_projects', column: 'sealed_database_password', purpose: PASSWORD_PURPOSE },
  { table: 'purchase_connections', column: 'sealed_key', purpose: KEY_PURPOSE },
  { table: 'purchase_settings', column: 'sealed_forward_secret', purpose: FORWARD_PURPOSE },
  { table: 'store_candidates', column: 'sealed_key', purpose: STORE_KEY_PURPOSE },
  { table: 'store_connections', column: 'sealed_key', purpose: STORE_KEY_PURPOSE },
  { table: 'webhooks', column: 'sealed_secret', purpose: webhookSecretScope('').purpose },
];
