import type { PlaySubscription } from '../../../providers/play-store/port.ts';
import type { AppScope } from '../../../shared/app.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { announceChanges } from '../ledger/announce-changes.ts';
import type { PurchaseChange } from '../ledger/changes.ts';
import { selectTransactions, upsertTransaction } from '../ledger/facts-queries.ts';
import { recordFacts } from '../ledger/record-facts.ts';
import type { ChainKey } from '../model/chain.ts';
import { GOOGLE_PLAY } from './model.ts';
import {
  isTokenReplaced,
  selectChainOfToken,
  tokenHash,
  upsertToken,
} from './purchases-queries.ts';
import { type PlayFacts, toPlayFacts } from './to-facts.ts';

export type PlayRecord = {
  packageName: string;
  purchaseToken: string;
  subscription: PlaySubscription;
  at: Date;
};

const NOT_DUE: ReadonlySet<string> = new Set(['pending', 'pending_canceled', 'expired']);

/** A pending one is refused by Google. */
export const isAcknowledgementDue = ({ state, isAcknowledged }: PlaySubscription): boolean =>
  !isAcknowledged && !NOT_DUE.has(state);

async function recordAll(
  tx: Tx,
  key: ChainKey,
  { superseded, transactions, renewal, status }: PlayFacts,
  at: Date,
): Promise<PurchaseChange[]> {
  const checked = { checkedAt: at, receivedAt: at };
  const changes: PurchaseChange[] = [];
  for (const transaction of transactions) {
    changes.push(
      ...(await recordFacts(tx, key, { transaction, renewal: null, status: null, ...checked })),
    );
  }
  for (const snapshot of superseded) await upsertTransaction(tx, key, snapshot);
  const last = await recordFacts(tx, key, { transaction: null, renewal, status, ...checked });
  return [...changes, ...last];
}

/** The chain of the token; facts of a replaced token are past. */
export async function recordPurchase(
  tx: Tx,
  scope: AppScope,
  { packageName, purchaseToken, subscription, at }: PlayRecord,
): Promise<{ key: ChainKey; changes: PurchaseChange[] }> {
  const { environment, replacesToken } = subscription;
  const hash = tokenHash(purchaseToken);
  const replaces = replacesToken === null ? null : tokenHash(replacesToken);
  const known = await selectChainOfToken(tx, scope, { hash, replaces });
  const chainId = known ?? `gp_${hash.slice(0, 40)}`;
  const key: ChainKey = { store: GOOGLE_PLAY, ...scope, environment, chainId };
  const isDue = isAcknowledgementDue(subscription);
  await upsertToken(tx, { key, purchaseToken, replaces, isDue, at });
  if (await isTokenReplaced(tx, scope, hash)) return { key, changes: [] };
  const orders = await selectTransactions(tx, key);
  const facts = toPlayFacts({
    ...{ chainId, packageName, subscription },
    known: orders,
    answeredAt: at.getTime(),
  });
  return { key, changes: await recordAll(tx, key, facts, at) };
}

export async function recordAndAnnounce(
  tx: Tx,
  scope: AppScope,
  record: PlayRecord,
): Promise<ChainKey> {
  const { key, changes } = await recordPurchase(tx, scope, record);
  await announceChanges(tx, key, changes, record.at);
  return key;
}
