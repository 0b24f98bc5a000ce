import { isAcknowledgementDue } from '../../../providers/play-store/port.ts';
import type { AppScope } from '../../../shared/app.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { announceChanges } from '../ledger/announce-changes.ts';
import type { PurchaseChange } from '../ledger/changes.ts';
import { selectTransactions, upsertTransaction } from '../ledger/facts-queries.ts';
import { type Facts, recordFacts } from '../ledger/record-facts.ts';
import type { ChainKey } from '../model/chain.ts';
import type { PlayAnswer } from './ask.ts';
import { GOOGLE_PLAY } from './model.ts';
import { nextAskOf, nextAskOfProduct } from './next-ask.ts';
import { toProductFacts } from './product-facts.ts';
import {
  isTokenReplaced,
  selectChainOfToken,
  tokenHash,
  upsertToken,
} from './purchases-queries.ts';
import { toPlayFacts } from './to-facts.ts';

export type PlayRecord = {
  packageName: string;
  purchaseToken: string;
  answer: PlayAnswer;
  /** Before the answer. */
  askedAt: Date;
  at: Date;
};

const PRICE_AGAIN_MS = 6 * HOUR_MS;

async function recordAnswer(
  tx: Tx,
  key: ChainKey,
  { packageName, answer, at }: PlayRecord,
): Promise<PurchaseChange[]> {
  const { chainId } = key;
  const known = await selectTransactions(tx, key);
  const { orders } = answer;
  const answered = { chainId, packageName, known, orders, answeredAt: at.getTime() };
  const changes: PurchaseChange[] = [];
  const record = async (facts: Partial<Facts>) => {
    const none = { transaction: null, renewal: null, status: null };
    const checked = { checkedAt: at, receivedAt: at };
    changes.push(...(await recordFacts(tx, key, { ...none, ...facts, ...checked })));
  };
  if (answer.kind === 'product') {
    const transactions = toProductFacts({ ...answered, product: answer.purchase });
    for (const transaction of transactions) await record({ transaction });
    // A chain that owns nothing may be claimed.
    if (transactions.length === 0) await record({});
    return changes;
  }
  const facts = toPlayFacts({ ...answered, subscription: answer.purchase });
  for (const transaction of facts.transactions) await record({ transaction });
  for (const snapshot of facts.superseded) await upsertTransaction(tx, key, snapshot);
  await record({ renewal: facts.renewal, status: facts.status });
  return changes;
}

const replacedBy = ({ kind, purchase }: PlayAnswer): string | null =>
  kind === 'subscription' ? purchase.replacesToken : null;

/** Sooner while a price is not known. */
function nextAsk({ kind, purchase, isUnpriced }: PlayAnswer, at: Date): Date | null {
  const next = kind === 'subscription' ? nextAskOf(purchase, at) : nextAskOfProduct(purchase, at);
  const forPrice = new Date(at.getTime() + PRICE_AGAIN_MS);
  return !isUnpriced || (next && next < forPrice) ? next : forPrice;
}

/** The chain of the token; facts of a replaced token are past. */
export async function recordAndAnnounce(
  tx: Tx,
  scope: AppScope,
  record: PlayRecord,
): Promise<ChainKey> {
  const { purchaseToken, answer, askedAt, at } = record;
  const hash = tokenHash(purchaseToken);
  const replacesToken = replacedBy(answer);
  const replaces = replacesToken === null ? null : tokenHash(replacesToken);
  const known = await selectChainOfToken(tx, scope, { hash, replaces });
  const chainId = known ?? `gp_${hash.slice(0, 40)}`;
  const { environment } = answer.purchase;
  const key: ChainKey = { store: GOOGLE_PLAY, ...scope, environment, chainId };
  const isReplaced = await isTokenReplaced(tx, scope, hash);
  const { kind, pricedOrders } = answer;
  await upsertToken(tx, {
    ...{ key, purchaseToken, kind, replaces, pricedOrders, askedAt, at },
    isAcknowledgementDue: isAcknowledgementDue(answer),
    askAgainAt: isReplaced ? null : nextAsk(answer, at),
  });
  if (!isReplaced) await announceChanges(tx, key, await recordAnswer(tx, key, record), at);
  return key;
}
