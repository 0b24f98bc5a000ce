import type { SystemContext } from '../../../context.ts';
import type { PurchaseKey, SubscriptionStatus } from '../../../providers/store-server/port.ts';
import type { AppScope } from '../../../shared/app.ts';
import type { StoreEnvironment } from '../../../shared/environment.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import { selectProfile } from '../entitlement/settings-queries.ts';
import { announceChanges } from '../ledger/announce-changes.ts';
import { recordFacts } from '../ledger/record-facts.ts';
import { dropRepeatedAnswer } from '../ledger/signed-queries.ts';
import type { ChainKey } from '../model/chain.ts';
import { type StoreContext, toStoreError } from '../model/store.ts';
import { APP_STORE } from './connection/model.ts';
import { askStore, openPurchaseKey } from './connection/purchase-key.ts';

type RefreshContext = StoreContext<'clock' | 'secrets' | 'sql' | 'storeServer'>;
type ChainOfApp = Pick<ChainKey, 'appId' | 'environment' | 'chainId'> & { bundleId: string };
type Answer = Omit<SubscriptionStatus, 'chainId'>;

async function recordStatus(
  { deps, orgId }: StoreContext<'clock' | 'sql'>,
  { appId, bundleId, environment }: ChainOfApp,
  { transaction, renewal, status }: Answer,
): Promise<void> {
  const { snapshot } = transaction;
  if (snapshot.bundleId !== bundleId || snapshot.environment !== environment) return;
  const { chainId, transactionId, signedAt } = snapshot;
  const asOf = Math.max(signedAt, renewal?.snapshot.signedAt ?? signedAt);
  const at = deps.clock();
  const key = { store: APP_STORE, orgId, appId, environment, chainId };
  await deps.sql.begin(async (tx) => {
    const changes = await recordFacts(tx, key, {
      transaction,
      renewal,
      status: status === null ? null : { status, asOf, transactionId },
      checkedAt: at,
      receivedAt: at,
    });
    if (renewal) await dropRepeatedAnswer(tx, key, renewal);
    await announceChanges(tx, key, changes, at);
  });
}

/** False without a key. Throws `ProviderError`. */
async function recordAnswer(
  ctx: RefreshContext,
  input: ChainOfApp,
  ask: (key: PurchaseKey) => Promise<Answer[]>,
): Promise<boolean> {
  const key = await openPurchaseKey(ctx, input.bundleId);
  if (!key) return false;
  for (const answer of await askStore(ctx, key, () => ask(key))) {
    await recordStatus(ctx, input, answer);
  }
  return true;
}

/** With its customer's other purchases. */
export function refreshChain(ctx: RefreshContext, input: ChainOfApp): Promise<boolean> {
  const { environment, chainId } = input;
  return recordAnswer(ctx, input, (key) =>
    ctx.deps.storeServer.subscriptionStatuses(key, environment, chainId),
  );
}

/** For one-time purchases, which have no subscription status. */
export function refreshTransaction(
  ctx: RefreshContext,
  input: ChainOfApp & { transactionId: string },
): Promise<boolean> {
  const { environment, transactionId } = input;
  return recordAnswer(ctx, input, async (key) => [
    {
      status: null,
      transaction: await ctx.deps.storeServer.transaction(key, environment, transactionId),
      renewal: null,
    },
  ]);
}

export type RefreshRunInput = AppScope & {
  environment: StoreEnvironment;
  originalTransactionId: string;
};

/** Keeps a chain unknown to the store. */
export async function refreshPurchase(
  { deps }: SystemContext<'clock' | 'secrets' | 'sql' | 'storeServer'>,
  { orgId, originalTransactionId: chainId, ...chain }: RefreshRunInput,
): Promise<void> {
  const profile = await selectProfile(deps.sql, { orgId, appId: chain.appId });
  if (profile?.bundleId == null) return;
  try {
    await refreshChain({ deps, orgId }, { ...chain, chainId, bundleId: profile.bundleId });
  } catch (thrown) {
    if (thrown instanceof ProviderError && thrown.failure === 'not_found') return;
    throw toStoreError(thrown);
  }
}
