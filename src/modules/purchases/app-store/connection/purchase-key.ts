import type { PurchaseKey } from '../../../../providers/store-server/port.ts';
import { AppError } from '../../../../shared/errors.ts';
import { ProviderError } from '../../../../shared/provider-error.ts';
import { storeError } from '../../../../shared/store-error.ts';
import type { StoreContext } from '../../model/store.ts';
import { markKeyRefused, selectAskableApp, selectConnection, selectSealedKey } from './queries.ts';

export const KEY_PURPOSE = 'purchase-key';

export async function openPurchaseKey(
  { deps, orgId }: StoreContext<'secrets' | 'sql'>,
  bundleId: string,
): Promise<PurchaseKey | null> {
  const stored = await selectSealedKey(deps.sql, orgId, bundleId);
  if (!stored) return null;
  const privateKey = deps.secrets.open({ orgId, purpose: KEY_PURPOSE }, stored.sealedKey);
  return { issuerId: stored.issuerId, keyId: stored.keyId, privateKey, bundleId };
}

/** Throws `store_not_connected`, `store_credentials_rejected`. */
export async function openKeyToUse(
  ctx: StoreContext<'secrets' | 'sql'>,
  bundleId: string,
): Promise<PurchaseKey> {
  const connection = await selectConnection(ctx.deps.sql, ctx.orgId);
  const key = connection && (await openPurchaseKey(ctx, bundleId));
  if (!key) {
    throw new AppError('store_not_connected', 'No purchase key is connected.', {
      hint: 'Connect an In-App Purchase key with PUT /v1/purchases/connection.',
    });
  }
  if (connection.status === 'invalid') throw storeError('credentials', new Error('invalid'));
  return key;
}

/** Both a bad key and an unknown app answer 401. */
async function isKeyRefused(
  { deps, orgId }: StoreContext<'sql' | 'storeServer'>,
  key: PurchaseKey,
): Promise<boolean> {
  const app = await selectAskableApp(deps.sql, orgId, null);
  try {
    await deps.storeServer.checkKey({ ...key, bundleId: app?.bundleId ?? key.bundleId });
    return false;
  } catch (thrown) {
    return thrown instanceof ProviderError && thrown.failure === 'unauthorized';
  }
}

function asUnknownApp(cause: unknown): never {
  if (!(cause instanceof ProviderError) || cause.failure !== 'unauthorized') throw cause;
  throw new ProviderError('not_found', 'The store does not know this app here.', { cause });
}

/** Marks a refused key; an app unknown to the store is `not_found`. */
export async function askStore<T>(
  ctx: StoreContext<'sql' | 'storeServer'>,
  key: PurchaseKey,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    if (!(thrown instanceof ProviderError) || thrown.failure !== 'unauthorized') throw thrown;
    if (!(await isKeyRefused(ctx, key))) return ask().catch(asUnknownApp);
    const { deps, orgId } = ctx;
    await markKeyRefused(deps.sql, { orgId, keyId: key.keyId, error: thrown.message });
    throw thrown;
  }
}
