import type { SystemContext } from '../../../context.ts';
import { type PurchaseKey, SignatureError } from '../../../providers/store-server/port.ts';
import { errorMessage } from '../../../shared/errors.ts';
import { ProviderError, type ProviderFailure } from '../../../shared/provider-error.ts';
import type { SignedTransaction } from '../../../shared/purchase.ts';
import { DAY_MS } from '../../../shared/time.ts';
import type { HistoryRunInput } from '../../../temporal/contracts/purchases.ts';
import { selectProfile } from '../entitlement/settings-queries.ts';
import { announceChanges } from '../ledger/announce-changes.ts';
import { recordFacts } from '../ledger/record-facts.ts';
import type { ChainKey } from '../model/chain.ts';
import { toStoreError } from '../model/store.ts';
import * as queries from './history-queries.ts';
import { askStore, openPurchaseKey } from './connection/purchase-key.ts';
import { refreshChain } from './refresh.ts';

/** Far below the store's limits. */
const PAGES_A_STEP = 10;
/** A refusal may be temporary, as for an app not yet on sale. */
const RETRY_AFTER_MS = DAY_MS;

/** The whole step fails and is retried. */
const GENERAL_FAILURES: ReadonlySet<ProviderFailure> = new Set([
  'unauthorized',
  'forbidden',
  'rate_limited',
  'unavailable',
]);

export type HistoryStep = { pages: number; goesOn: boolean };

async function record(
  ctx: SystemContext<'clock' | 'sql'>,
  key: ChainKey,
  signed: SignedTransaction,
): Promise<void> {
  const { deps } = ctx;
  const { snapshot } = signed;
  const now = deps.clock();
  const chain = { ...key, chainId: snapshot.chainId };
  await deps.sql.begin(async (tx) => {
    const changes = await recordFacts(tx, chain, {
      transaction: signed,
      renewal: null,
      status: null,
      checkedAt: new Date(Math.min(snapshot.signedAt, now.getTime())),
      receivedAt: now,
    });
    await announceChanges(tx, chain, changes, now);
  });
}

async function refreshStatus(
  { deps }: SystemContext<'clock' | 'secrets' | 'sql' | 'storeServer'>,
  { orgId, ...chain }: ChainKey,
  bundleId: string,
): Promise<void> {
  try {
    await refreshChain({ deps, orgId }, { ...chain, bundleId });
  } catch (thrown) {
    if (!(thrown instanceof ProviderError) || thrown.failure !== 'not_found') throw thrown;
  }
}

async function readPage(
  ctx: SystemContext<'clock' | 'secrets' | 'sql' | 'storeServer'>,
  purchaseKey: PurchaseKey,
  { key, revision }: queries.DueHistory,
): Promise<void> {
  const { deps } = ctx;
  const { orgId, environment, chainId } = key;
  const page = await askStore({ deps, orgId }, purchaseKey, () =>
    deps.storeServer.transactionHistory(purchaseKey, environment, chainId, revision),
  );
  for (const signed of page.transactions) {
    const { snapshot } = signed;
    const isOurs = snapshot.bundleId === purchaseKey.bundleId;
    if (isOurs && snapshot.environment === environment) await record(ctx, key, signed);
  }
  // Guard against a page that points to itself.
  const next = page.revision === revision ? null : page.revision;
  const isSubscription = page.transactions.some(({ snapshot }) => snapshot.expiresAt !== null);
  // The new transactions outdate the recorded status.
  if (next === null && isSubscription) await refreshStatus(ctx, key, purchaseKey.bundleId);
  await queries.recordHistoryPage(deps.sql, key, { revision: next, at: deps.clock() });
}

async function readHistory(
  ctx: SystemContext<'clock' | 'secrets' | 'sql' | 'storeServer'>,
  purchaseKey: PurchaseKey,
  history: queries.DueHistory,
): Promise<void> {
  const { deps } = ctx;
  try {
    await readPage(ctx, purchaseKey, history);
  } catch (thrown) {
    const isRefusal = thrown instanceof ProviderError || thrown instanceof SignatureError;
    if (!isRefusal) throw thrown;
    if (thrown instanceof ProviderError && GENERAL_FAILURES.has(thrown.failure)) {
      throw toStoreError(thrown);
    }
    const nextAt = new Date(deps.clock().getTime() + RETRY_AFTER_MS);
    await queries.recordHistoryFailure(deps.sql, history.key, {
      error: errorMessage(thrown),
      nextAt,
    });
  }
}

export async function readPurchaseHistories(
  ctx: SystemContext<'clock' | 'secrets' | 'sql' | 'storeServer'>,
  input: HistoryRunInput,
): Promise<HistoryStep> {
  const { deps } = ctx;
  const scope = { orgId: input.orgId, appId: input.appId };
  const profile = await selectProfile(deps.sql, scope);
  if (profile?.bundleId == null) return { pages: 0, goesOn: false };
  const purchaseKey = await openPurchaseKey({ deps, orgId: scope.orgId }, profile.bundleId);
  if (!purchaseKey) return { pages: 0, goesOn: false };
  for (let pages = 0; pages < PAGES_A_STEP; pages += 1) {
    const history = await queries.selectDueHistory(deps.sql, scope, deps.clock());
    if (!history) return { pages, goesOn: false };
    await readHistory(ctx, purchaseKey, history);
  }
  return { pages: PAGES_A_STEP, goesOn: true };
}
