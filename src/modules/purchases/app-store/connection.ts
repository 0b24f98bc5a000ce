import type { OrgContext } from '../../../context.ts';
import { checkPrivateKey } from '../../../shared/app-store-token.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import { toIsoOrNull } from '../../../shared/time.ts';
import { toStoreError } from '../model/store.ts';
import * as queries from './connection/queries.ts';
import { retryHistories } from './history-queries.ts';
import type * as model from './connection/model.ts';
import { selectLastReceived } from './notifications/queries.ts';
import { askStore, KEY_PURPOSE, openPurchaseKey } from './connection/purchase-key.ts';

export function getPurchaseConnection({
  deps,
  orgId,
}: OrgContext<'sql'>): Promise<model.PurchaseConnection | null> {
  return queries.selectConnection(deps.sql, orgId);
}

/** Throws `conflict` without a bundle id, and the store's errors. */
export async function connectPurchaseKey(
  { deps, orgId }: OrgContext<'clock' | 'purchaseProfiles' | 'secrets' | 'sql' | 'storeServer'>,
  input: model.ConnectInput,
): Promise<model.PurchaseConnection> {
  const { issuerId, keyId } = input;
  const privateKey = input.privateKey.trim();
  checkPrivateKey(privateKey);
  const app = await queries.selectAskableApp(deps.sql, orgId, null);
  if (!app) {
    throw new AppError('conflict', 'A purchase key can only be verified for an app of the store.', {
      hint: 'Import an app of the store, or link one, before connecting the purchase key.',
    });
  }
  // First: no store request without secret storage.
  const sealedKey = deps.secrets.seal({ orgId, purpose: KEY_PURPOSE }, privateKey);
  try {
    await deps.storeServer.checkKey({ issuerId, keyId, privateKey, bundleId: app.bundleId });
  } catch (thrown) {
    throw toStoreError(thrown);
  }
  const at = deps.clock();
  const connection = await queries.upsertConnection(deps.sql, {
    orgId,
    issuerId,
    keyId,
    sealedKey,
    at,
  });
  await retryHistories(deps.sql, orgId);
  deps.purchaseProfiles.forget();
  return connection;
}

/** Recorded purchases stay. */
export async function disconnectPurchaseKey({
  deps,
  orgId,
}: OrgContext<'purchaseProfiles' | 'sql'>): Promise<void> {
  await queries.deleteConnection(deps.sql, orgId);
  deps.purchaseProfiles.forget();
}

/** Throws `store_not_connected`, `not_found`. */
export async function testPurchaseConnection(
  ctx: OrgContext<'secrets' | 'sql' | 'storeServer'>,
  input: model.TestInput,
): Promise<model.TestAnswer> {
  const { deps, orgId } = ctx;
  const environment = input.environment ?? REAL_PURCHASES;
  const app = await queries.selectAskableApp(deps.sql, orgId, input.appId ?? null);
  if (!app) throw notFound();
  const { appId } = app;
  const key = await openPurchaseKey(ctx, app.bundleId);
  if (!key) {
    throw new AppError('store_not_connected', 'No purchase key is connected.', {
      hint: 'Connect one with PUT /v1/purchases/connection.',
    });
  }
  try {
    await askStore(ctx, key, () => deps.storeServer.requestTestNotification(key, environment));
  } catch (thrown) {
    throw toStoreError(thrown);
  }
  const { lastAt, lastTestAt } = await selectLastReceived(deps.sql, { orgId, appId, environment });
  return {
    requested: true,
    appId,
    environment,
    lastNotificationAt: toIsoOrNull(lastAt),
    lastTestNotificationAt: toIsoOrNull(lastTestAt),
  };
}
