import type {
  SignedRenewal,
  SignedTransaction,
  TransactionSnapshot,
} from '../../providers/store-server/port.ts';
import type { Tx } from '../../storage/postgres.ts';
import { announceChain } from './announce-chain.ts';
import { digestChain, type StatusWord } from './digest.ts';
import {
  type ChainKey,
  factsOf,
  saveDigest,
  selectTransactions,
  type Trial,
  upsertChain,
  upsertTransaction,
} from './facts-queries.ts';
import { keepSigned } from './signed-queries.ts';

export type Facts = {
  transaction: SignedTransaction | null;
  renewal: SignedRenewal | null;
  status: StatusWord | null;
  /** When the store said so, or when we asked it. */
  checkedAt: Date;
  /** When the signed texts reached us: their retention counts from here. */
  receivedAt: Date;
};

/**
 * The first free trial of a chain and the first paid period after it. Shared and sandbox purchases
 * never count.
 */
export function trialOf(transactions: readonly TransactionSnapshot[]): Trial | null {
  const own = transactions
    .filter((one) => one.ownership === 'purchased' && one.environment === 'Production')
    .toSorted((a, b) => a.purchasedAt - b.purchasedAt);
  const trial = own.find((one) => one.freeTrial);
  if (!trial) return null;
  const paid = own.find((one) => !one.freeTrial && one.purchasedAt > trial.purchasedAt);
  return { startedAt: trial.purchasedAt, convertedAt: paid?.purchasedAt ?? null };
}

/**
 * Takes facts in and folds the chain anew from everything known of it. Its row stays locked to the
 * end of the transaction, so two deliveries of one chain follow each other.
 */
export async function recordFacts(tx: Tx, key: ChainKey, facts: Facts): Promise<void> {
  const { transaction, renewal, receivedAt } = facts;
  const news = {
    renewal: renewal?.snapshot ?? null,
    status: facts.status,
    appAccountToken: transaction?.snapshot.appAccountToken ?? null,
    checkedAt: facts.checkedAt,
  };
  // One connection carries them out in this order; sent together they cost one way to the database.
  const [known, , transactions] = await Promise.all([
    upsertChain(tx, key, news),
    transaction ? upsertTransaction(tx, key, transaction.snapshot) : null,
    selectTransactions(tx, key),
    keepSigned(tx, key, { transaction, renewal, receivedAt }),
  ]);
  const digest = digestChain(factsOf(key, known, transactions));
  const changed = await saveDigest(tx, key, { digest, trial: trialOf(transactions) });
  if (changed) await announceChain(tx, key, facts.checkedAt);
}
