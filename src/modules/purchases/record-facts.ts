import type { RenewalSnapshot, TransactionSnapshot } from '../../providers/store-server/port.ts';
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
} from './facts-store.ts';

export type Facts = {
  transaction: TransactionSnapshot | null;
  renewal: RenewalSnapshot | null;
  status: StatusWord | null;
  /** When the store said so, or when we asked it. */
  checkedAt: Date;
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
  const news = {
    renewal: facts.renewal,
    status: facts.status,
    appAccountToken: facts.transaction?.appAccountToken ?? null,
    checkedAt: facts.checkedAt,
  };
  // One connection carries them out in this order; sent together they cost one way to the database.
  const [known, , transactions] = await Promise.all([
    upsertChain(tx, key, news),
    facts.transaction ? upsertTransaction(tx, key, facts.transaction) : null,
    selectTransactions(tx, key),
  ]);
  const digest = digestChain(factsOf(key, known, transactions));
  const changed = await saveDigest(tx, key, { digest, trial: trialOf(transactions) });
  if (changed) await announceChain(tx, key, facts.checkedAt);
}
