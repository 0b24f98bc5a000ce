import type { OrgContext } from '../../context.ts';
import { checkPrivateKey } from '../../shared/app-store-token.ts';
import { AppError } from '../../shared/errors.ts';
import { selectAskableApp, upsertConnection } from './connection-queries.ts';
import { retryHistories } from './history-queries.ts';
import type { ConnectInput, PurchaseConnection } from './model.ts';
import { KEY_PURPOSE } from './purchase-key.ts';
import { toStoreAppError } from './store-errors.ts';

function noAppToAskFor(): AppError {
  return new AppError('conflict', 'The store can only be asked about an app.', {
    hint: 'Import an app of the store, or link one, before connecting the purchase key.',
  });
}

/**
 * Verifies the key with the store, then stores it sealed; the one before is replaced. Throws
 * `conflict` while no app has a bundle id, and the store's refusals.
 */
export async function connectPurchaseKey(
  { deps, orgId }: OrgContext,
  input: ConnectInput,
): Promise<PurchaseConnection> {
  const { issuerId, keyId } = input;
  const privateKey = input.privateKey.trim();
  checkPrivateKey(privateKey);
  const app = await selectAskableApp(deps.sql, orgId, null);
  if (!app) throw noAppToAskFor();
  // Sealed before the store is asked, so that a service without secret storage says so at once.
  const sealedKey = deps.secrets.seal({ orgId, purpose: KEY_PURPOSE }, privateKey);
  try {
    await deps.storeServer.checkKey({ issuerId, keyId, privateKey, bundleId: app.bundleId });
  } catch (thrown) {
    throw toStoreAppError(thrown);
  }
  const made = { orgId, issuerId, keyId, sealedKey, at: deps.clock() };
  const connection = await upsertConnection(deps.sql, made);
  await retryHistories(deps.sql, orgId);
  deps.purchaseProfiles.forget();
  return connection;
}
