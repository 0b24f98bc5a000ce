import type { OrgContext, SystemContext } from '../../context.ts';
import type { SubscriptionStatus } from '../../providers/store-server/port.ts';
import type { StoreEnvironment } from '../../shared/environment.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { askStore, openPurchaseKey, toStoreError } from './purchase-key.ts';
import { recordFacts } from './record-facts.ts';
import { selectProfile } from './settings-queries.ts';

export type RefreshInput = {
  appId: string;
  bundleId: string;
  environment: StoreEnvironment;
  originalTransactionId: string;
};

/** Records an answer of the store, which covers everything that the customer bought of this team. */
async function recordStatus(
  { deps, orgId }: Pick<OrgContext<'clock' | 'sql'>, 'deps' | 'orgId'>,
  { appId, bundleId, environment }: RefreshInput,
  { transaction, renewal, status }: Omit<SubscriptionStatus, 'originalTransactionId'>,
): Promise<void> {
  const { snapshot } = transaction;
  if (snapshot.bundleId !== bundleId || snapshot.environment !== environment) return;
  const { originalTransactionId, transactionId, signedAt } = snapshot;
  const asOf = Math.max(signedAt, renewal?.snapshot.signedAt ?? signedAt);
  const at = deps.clock();
  await deps.sql.begin((tx) =>
    recordFacts(
      tx,
      { orgId, appId, environment, originalTransactionId },
      {
        transaction,
        renewal,
        status: status === null ? null : { status, asOf, transactionId },
        checkedAt: at,
        receivedAt: at,
      },
    ),
  );
}

/**
 * Fetches the current status of a subscription and records it. Returns false without a key; throws
 * `ProviderError` when the store does not answer.
 */
export async function refreshChain(
  ctx: Pick<OrgContext<'clock' | 'secrets' | 'sql' | 'storeServer'>, 'deps' | 'orgId'>,
  input: RefreshInput,
): Promise<boolean> {
  const key = await openPurchaseKey(ctx, input.bundleId);
  if (!key) return false;
  const { storeServer } = ctx.deps;
  const statuses = await askStore(ctx, key, () =>
    storeServer.subscriptionStatuses(key, input.environment, input.originalTransactionId),
  );
  for (const status of statuses) await recordStatus(ctx, input, status);
  return true;
}

/** Fetches one transaction: what is no subscription has no status. */
export async function refreshTransaction(
  ctx: Pick<OrgContext<'clock' | 'secrets' | 'sql' | 'storeServer'>, 'deps' | 'orgId'>,
  input: RefreshInput & { transactionId: string },
): Promise<boolean> {
  const key = await openPurchaseKey(ctx, input.bundleId);
  if (!key) return false;
  const { storeServer } = ctx.deps;
  const transaction = await askStore(ctx, key, () =>
    storeServer.transaction(key, input.environment, input.transactionId),
  );
  await recordStatus(ctx, input, { status: null, transaction, renewal: null });
  return true;
}

export type RefreshRunInput = Omit<RefreshInput, 'bundleId'> & { orgId: string };

/** Refreshes a chain after an unclear notification; one unknown to the store stays as it is. */
export async function refreshPurchase(
  { deps }: SystemContext<'clock' | 'secrets' | 'sql' | 'storeServer'>,
  { orgId, ...chain }: RefreshRunInput,
): Promise<void> {
  const profile = await selectProfile(deps.sql, { orgId, appId: chain.appId });
  if (profile?.bundleId == null) return;
  try {
    await refreshChain({ deps, orgId }, { ...chain, bundleId: profile.bundleId });
  } catch (thrown) {
    if (thrown instanceof ProviderError && thrown.failure === 'not_found') return;
    throw toStoreError(thrown);
  }
}
