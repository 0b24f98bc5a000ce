import type { SystemContext } from '../../context.ts';
import {
  type PurchaseKey,
  SignatureError,
  type SignedTransaction,
} from '../../providers/store-server/port.ts';
import { messageOf } from '../../shared/errors.ts';
import { ProviderError, type ProviderFailure } from '../../shared/provider-error.ts';
import { DAY_MS } from '../../shared/time.ts';
import type { HistoryRunInput } from '../../temporal/contracts/purchases.ts';
import type { ChainKey } from './facts-queries.ts';
import {
  noteHistoryFailure,
  noteHistoryPage,
  selectWantedHistory,
  type WantedHistory,
} from './history-queries.ts';
import { askStore, openPurchaseKey } from './purchase-key.ts';
import { recordFacts } from './record-facts.ts';
import { refreshChain } from './refresh.ts';
import { selectProfile } from './settings-queries.ts';
import { toStoreAppError } from './store-errors.ts';

/** Few enough that one step ends soon, and asked for one after the other: far below the limits. */
const PAGES_A_STEP = 10;
/** What the store refused today it may answer tomorrow: an app that is not on sale yet, say. */
const AGAIN_AFTER_MS = DAY_MS;

/** Trouble of the store or of the key, not of one history: the step fails and is tried again. */
const GENERAL: ReadonlySet<ProviderFailure> = new Set([
  'unauthorized',
  'forbidden',
  'rate_limited',
  'unavailable',
]);

export type HistoryStep = { pages: number; goesOn: boolean };

async function take(ctx: SystemContext, key: ChainKey, signed: SignedTransaction): Promise<void> {
  const { deps } = ctx;
  const { snapshot } = signed;
  const now = deps.clock();
  const chain = { ...key, originalTransactionId: snapshot.originalTransactionId };
  await deps.sql.begin((tx) =>
    recordFacts(tx, chain, {
      transaction: signed,
      renewal: null,
      status: null,
      checkedAt: new Date(Math.min(snapshot.signedAt, now.getTime())),
      receivedAt: now,
    }),
  );
}

async function askStatus(
  { deps }: SystemContext,
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
  ctx: SystemContext,
  purchaseKey: PurchaseKey,
  { key, revision }: WantedHistory,
): Promise<void> {
  const { deps } = ctx;
  const { orgId, environment, originalTransactionId } = key;
  const page = await askStore({ deps, orgId }, purchaseKey, () =>
    deps.storeServer.transactionHistory(purchaseKey, environment, originalTransactionId, revision),
  );
  for (const signed of page.transactions) {
    const { snapshot } = signed;
    const isOurs = snapshot.bundleId === purchaseKey.bundleId;
    if (isOurs && snapshot.environment === environment) await take(ctx, key, signed);
  }
  // A page that leads back to itself would be read for ever.
  const next = page.revision === revision ? null : page.revision;
  const isSubscription = page.transactions.some(({ snapshot }) => snapshot.expiresAt !== null);
  // Transactions that are signed anew outdate the store's earlier word on how the chain stands.
  if (next === null && isSubscription) await askStatus(ctx, key, purchaseKey.bundleId);
  await noteHistoryPage(deps.sql, key, { revision: next, at: deps.clock() });
}

async function readOne(
  ctx: SystemContext,
  purchaseKey: PurchaseKey,
  wanted: WantedHistory,
): Promise<void> {
  const { deps } = ctx;
  try {
    await readPage(ctx, purchaseKey, wanted);
  } catch (thrown) {
    const isKnown = thrown instanceof ProviderError || thrown instanceof SignatureError;
    if (!isKnown) throw thrown;
    if (thrown instanceof ProviderError && GENERAL.has(thrown.failure)) {
      throw toStoreAppError(thrown);
    }
    const nextAt = new Date(deps.clock().getTime() + AGAIN_AFTER_MS);
    await noteHistoryFailure(deps.sql, wanted.key, { error: messageOf(thrown), nextAt });
  }
}

/**
 * Reads some pages of the transaction histories that an app still wants. What was read is kept page
 * by page, so a step that fails goes on where it stopped.
 */
export async function readHistories(
  ctx: SystemContext,
  input: HistoryRunInput,
): Promise<HistoryStep> {
  const { deps } = ctx;
  const scope = { orgId: input.orgId, appId: input.appId };
  const profile = await selectProfile(deps.sql, scope);
  if (profile?.bundleId == null) return { pages: 0, goesOn: false };
  const purchaseKey = await openPurchaseKey({ deps, orgId: scope.orgId }, profile.bundleId);
  if (!purchaseKey) return { pages: 0, goesOn: false };
  for (let pages = 0; pages < PAGES_A_STEP; pages += 1) {
    const wanted = await selectWantedHistory(deps.sql, scope, deps.clock());
    if (!wanted) return { pages, goesOn: false };
    await readOne(ctx, purchaseKey, wanted);
  }
  return { pages: PAGES_A_STEP, goesOn: true };
}
