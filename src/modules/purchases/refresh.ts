import type { OrgContext } from '../../context.ts';
import type {
  Environment,
  PurchaseKey,
  SubscriptionStatus,
} from '../../providers/store-server/port.ts';
import type { ChainKey } from './facts-queries.ts';
import { askStore, openPurchaseKey } from './purchase-key.ts';
import { recordFacts } from './record-facts.ts';

export type RefreshInput = {
  appId: string;
  bundleId: string;
  environment: Environment;
  originalTransactionId: string;
};

type RefreshContext = Pick<OrgContext, 'deps' | 'orgId'>;

async function take(
  { deps, orgId }: RefreshContext,
  input: RefreshInput,
  item: SubscriptionStatus,
): Promise<void> {
  const { snapshot: transaction } = item.transaction;
  // The answer covers everything that the customer subscribed to under this key.
  const isOurs = transaction.bundleId === input.bundleId;
  if (!isOurs || transaction.environment !== input.environment) return;
  const asOf = Math.max(transaction.signedAt, item.renewal?.snapshot.signedAt ?? 0);
  const key: ChainKey = {
    orgId,
    appId: input.appId,
    environment: input.environment,
    originalTransactionId: transaction.originalTransactionId,
  };
  const status =
    item.status === null
      ? null
      : { status: item.status, asOf, transactionId: transaction.transactionId };
  const at = deps.clock();
  await deps.sql.begin((tx) =>
    recordFacts(tx, key, {
      transaction: item.transaction,
      renewal: item.renewal,
      status,
      checkedAt: at,
      receivedAt: at,
    }),
  );
}

/**
 * Asks the store for the present status of a subscription and takes the answer in. Gives false
 * without a key; throws `ProviderError` when the store does not answer.
 */
export async function refreshChain(ctx: RefreshContext, input: RefreshInput): Promise<boolean> {
  const key = await openPurchaseKey(ctx, input.bundleId);
  if (!key) return false;
  for (const item of await statuses(ctx, key, input)) await take(ctx, input, item);
  return true;
}

function statuses(ctx: RefreshContext, key: PurchaseKey, input: RefreshInput) {
  const { environment, originalTransactionId } = input;
  const { storeServer } = ctx.deps;
  return askStore(ctx, key, () =>
    storeServer.subscriptionStatuses(key, environment, originalTransactionId),
  );
}

/** Asks for one transaction: what is no subscription has no status. */
export async function refreshTransaction(
  ctx: RefreshContext,
  input: RefreshInput & { transactionId: string },
): Promise<boolean> {
  const key = await openPurchaseKey(ctx, input.bundleId);
  if (!key) return false;
  const { storeServer } = ctx.deps;
  const transaction = await askStore(ctx, key, () =>
    storeServer.transaction(key, input.environment, input.transactionId),
  );
  const { originalTransactionId } = transaction.snapshot;
  await take(ctx, input, { originalTransactionId, status: null, transaction, renewal: null });
  return true;
}
