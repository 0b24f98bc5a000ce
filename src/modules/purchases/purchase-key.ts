import type { OrgContext } from '../../context.ts';
import type { PurchaseKey } from '../../providers/store-server/port.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { noteKeyRefused, selectAskableApp, selectSealedKey } from './connection-queries.ts';

export const KEY_PURPOSE = 'purchase-key';

type KeyContext = Pick<OrgContext, 'deps' | 'orgId'>;

/** The organization's key for one of its apps, or null when none is connected. */
export async function openPurchaseKey(
  { deps, orgId }: KeyContext,
  bundleId: string,
): Promise<PurchaseKey | null> {
  const stored = await selectSealedKey(deps.sql, orgId);
  if (!stored) return null;
  const privateKey = deps.secrets.open({ orgId, purpose: KEY_PURPOSE }, stored.sealedKey);
  return { issuerId: stored.issuerId, keyId: stored.keyId, privateKey, bundleId };
}

/** The store answers 401 for an app that it does not know as well: the first app decides. */
async function isKeyRefused({ deps, orgId }: KeyContext, key: PurchaseKey): Promise<boolean> {
  const app = await selectAskableApp(deps.sql, orgId, null);
  try {
    await deps.storeServer.checkKey({ ...key, bundleId: app?.bundleId ?? key.bundleId });
    return false;
  } catch (thrown) {
    return thrown instanceof ProviderError && thrown.failure === 'unauthorized';
  }
}

/**
 * Asks the store with a key, and notes on the connection when the key itself is refused. An app
 * that the store does not know is told as `not_found`.
 */
export async function askStore<T>(
  ctx: KeyContext,
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
    await noteKeyRefused(deps.sql, { orgId, keyId: key.keyId, error: thrown.message });
    throw thrown;
  }
}
