import type { Need, OrgContext } from '../../../context.ts';
import type { PurchaseKey } from '../../../providers/store-server/port.ts';
import { ProviderError, type ProviderFailure } from '../../../shared/provider-error.ts';
import { type StoreFailure, storeError } from '../../../shared/store-error.ts';
import { markKeyRefused, selectAskableApp, selectSealedKey } from './connection-queries.ts';

/** Work for one organization, of a request or of a run. */
export type StoreContext<Needs extends Need> = Pick<OrgContext<Needs>, 'deps' | 'orgId'>;

export const KEY_PURPOSE = 'purchase-key';

/** The organization's key for one of its apps, or null when none is connected. */
export async function openPurchaseKey(
  { deps, orgId }: StoreContext<'secrets' | 'sql'>,
  bundleId: string,
): Promise<PurchaseKey | null> {
  const stored = await selectSealedKey(deps.sql, orgId);
  if (!stored) return null;
  const privateKey = deps.secrets.open({ orgId, purpose: KEY_PURPOSE }, stored.sealedKey);
  return { issuerId: stored.issuerId, keyId: stored.keyId, privateKey, bundleId };
}

/** Tells a bad key from an unknown app by asking about the first app: both answer 401. */
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

/**
 * Calls the store with a key and marks the connection when the key itself is refused. An app
 * unknown to the store gives `not_found`.
 */
export async function askStore<T>(
  ctx: StoreContext<'sql' | 'storeServer'>,
  key: PurchaseKey,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    if (!(thrown instanceof ProviderError) || thrown.failure !== 'unauthorized') throw thrown;
    if (!(await isKeyRefused(ctx, key))) {
      throw new ProviderError('not_found', 'The store does not know this app here.', {
        cause: thrown,
      });
    }
    const { deps, orgId } = ctx;
    await markKeyRefused(deps.sql, { orgId, keyId: key.keyId, error: thrown.message });
    throw thrown;
  }
}

/** What the store can answer to a request that needs it. */
export const STORE_ERRORS = [
  'store_credentials_rejected',
  'store_role_missing',
  'store_rate_limited',
  'store_unavailable',
] as const;

const STORE_FAILURES: Readonly<Partial<Record<ProviderFailure, StoreFailure>>> = {
  unauthorized: 'credentials',
  forbidden: 'role',
  rate_limited: 'rate_limited',
};

/** The store's failure as an error for our caller; anything else passes unchanged. */
export function toStoreError(thrown: unknown): unknown {
  if (!(thrown instanceof ProviderError)) return thrown;
  return storeError(STORE_FAILURES[thrown.failure] ?? 'unavailable', thrown);
}
