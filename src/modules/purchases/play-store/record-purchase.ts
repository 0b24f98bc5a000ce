import { isAcknowledgementDue, type PlayFound } from '../../../providers/play-store/port.ts';
import type { AppScope } from '../../../shared/app.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { PLAY_CHAIN } from '../../../storage/purchase-period.ts';
import { announceChanges } from '../ledger/announce-changes.ts';
import type { PurchaseChange } from '../ledger/changes.ts';
import { selectTransactions, upsertTransaction } from '../ledger/facts-queries.ts';
import { type Facts, recordFacts } from '../ledger/record-facts.ts';
import type { ChainKey } from '../model/chain.ts';
import type { PlayAnswer } from './ask.ts';
import { hintAtToken } from './due-queries.ts';
import { GOOGLE_PLAY } from './model.ts';
import { nextAsk } from './next-ask.ts';
import { toProductFacts } from './product-facts.ts';
import * as queries from './purchases-queries.ts';
import { toPastFacts, toPlayFacts } from './to-facts.ts';

const UNPAID: ReadonlySet<string> = new Set(['pending', 'pending_canceled']);

/** The chain of the linked token is that of its successor, which replaces it only once it is paid. */
export function linkedToken({ kind, purchase }: PlayFound): {
  linked: string | null;
  replaces: string | null;
} {
  const linked = kind === 'subscription' ? purchase.replacesToken : null;
  return { linked, replaces: UNPAID.has(purchase.state) ? null : linked };
}

export type PlayRecord = {
  packageName: string;
  purchaseToken: string;
  answer: PlayAnswer;
  /** Before the answer. */
  askedAt: Date;
  at: Date;
};

async function recordAnswer(
  tx: Tx,
  key: ChainKey,
  { packageName, answer, askedAt, at, isReplaced }: PlayRecord & { isReplaced: boolean },
): Promise<PurchaseChange[]> {
  const { chainId } = key;
  const known = await selectTransactions(tx, key);
  const { orders, planPeriods } = answer;
  // An answer that comes late is as old as its question.
  const answeredAt = askedAt.getTime();
  const answered = { chainId, packageName, known, orders, planPeriods, answeredAt };
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
  const told = { ...answered, subscription: answer.purchase };
  if (isReplaced) {
    for (const transaction of toPastFacts(told)) await record({ transaction });
    return changes;
  }
  const facts = toPlayFacts(told);
  for (const transaction of facts.transactions) await record({ transaction });
  for (const snapshot of facts.superseded) await upsertTransaction(tx, key, snapshot);
  await record({ renewal: facts.renewal, status: facts.status });
  return changes;
}

const hashOf = (token: string | null) => (token === null ? null : queries.tokenHash(token));

/** A last time: its newest order may not be stored. */
async function askAboutReplaced(
  tx: Tx,
  scope: AppScope,
  replaced: { purchaseToken: string | null; at: Date },
): Promise<void> {
  const { purchaseToken, at } = replaced;
  if (purchaseToken === null) return;
  if (await queries.isTokenReplaced(tx, scope, queries.tokenHash(purchaseToken))) return;
  await hintAtToken(tx, { ...scope, purchaseToken, kind: 'subscription', at });
}

export async function recordPurchase(tx: Tx, scope: AppScope, record: PlayRecord) {
  const { purchaseToken, answer, askedAt, at } = record;
  const hash = queries.tokenHash(purchaseToken);
  const { linked, replaces } = linkedToken(answer);
  const known = await queries.selectChainOfToken(tx, scope, { hash, linked: hashOf(linked) });
  const chainId = known ?? `${PLAY_CHAIN}${hash.slice(0, 40)}`;
  const { environment } = answer.purchase;
  const key: ChainKey = { store: GOOGLE_PLAY, ...scope, environment, chainId };
  const isReplaced = await queries.isTokenReplaced(tx, scope, hash);
  await askAboutReplaced(tx, scope, { purchaseToken: replaces, at });
  const { kind, settled: settledOrders } = answer;
  await queries.upsertToken(tx, {
    ...{ key, purchaseToken, kind, settledOrders, askedAt, at },
    replaces: hashOf(replaces),
    pendingOrderId: (kind === 'subscription' && answer.purchase.pendingOrderId) || null,
    isAcknowledgementDue: isAcknowledgementDue(answer),
    askAgainAt: nextAsk(answer, at, isReplaced),
  });
  const changes = await recordAnswer(tx, key, { ...record, isReplaced });
  if (!answer.isUnpriced) await queries.noteHistory(tx, key, at);
  return { key, changes };
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
