import type { SystemContext } from '../../context.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { refreshChain } from './refresh.ts';
import { selectProfile } from './settings-queries.ts';
import { toStoreAppError } from './store-errors.ts';

export type RefreshAppInput = {
  orgId: string;
  appId: string;
  environment: string;
  originalTransactionId: string;
};

/** Asks the store how a subscription stands; a transaction it does not know changes nothing. */
export async function refreshApp({ deps }: SystemContext, input: RefreshAppInput): Promise<void> {
  const { orgId, appId, originalTransactionId } = input;
  const profile = await selectProfile(deps.sql, { orgId, appId });
  if (profile?.bundleId == null) return;
  const environment = input.environment === 'Sandbox' ? 'Sandbox' : 'Production';
  const chain = { appId, bundleId: profile.bundleId, environment, originalTransactionId } as const;
  try {
    await refreshChain({ deps, orgId }, chain);
  } catch (thrown) {
    if (thrown instanceof ProviderError && thrown.failure === 'not_found') return;
    throw toStoreAppError(thrown);
  }
}
