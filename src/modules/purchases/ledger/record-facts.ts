import { isReal } from '../../../shared/environment.ts';
import type { SignedRenewal, Transaction } from '../../../shared/purchase.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { shareApp } from '../../../storage/rows-of-app.ts';
import { announce } from '../../webhooks/index.ts';
import type { ChainKey, StatusAsOf } from '../model/chain.ts';
import { chainField } from '../model/wire.ts';
import { findChanges, type PurchaseChange } from './changes.ts';
import { digestChain } from './digest.ts';
import * as queries from './facts-queries.ts';
import { periodKind } from './period.ts';
import { insertSigned, type PartialTransaction } from './signed-queries.ts';

export type Facts = {
  transaction: PartialTransaction | null;
  renewal: SignedRenewal | null;
  status: StatusAsOf | null;
  checkedAt: Date;
  receivedAt: Date;
};

/** Without shared and sandbox purchases, and add-ons. */
function findTrial(transactions: readonly Transaction[]): queries.Trial | null {
  const own = transactions
    .filter((period) => period.ownership === 'purchased' && isReal(period.environment))
    .filter((period) => !period.isAddOn)
    .toSorted((a, b) => a.purchasedAt - b.purchasedAt);
  const trial = own.find((period) => periodKind(period) === 'trial');
  if (!trial) return null;
  const paid = own.find(
    (one) => periodKind(one) !== 'trial' && one.purchasedAt > trial.purchasedAt,
  );
  return { startedAt: trial.purchasedAt, convertedAt: paid?.purchasedAt ?? null };
}

function newestAccount(transactions: readonly Transaction[]): string | null {
  const newest = transactions.reduce<Transaction | null>(
    (last, one) => (last && last.purchasedAt > one.purchasedAt ? last : one),
    null,
  );
  return newest?.appAccountToken ?? null;
}

/** Without the account of an erased person. */
async function keptTransaction(tx: Tx, key: ChainKey, { transaction }: Facts) {
  const token = transaction?.snapshot.appAccountToken ?? null;
  if (!transaction || token === null || (await queries.keptAccount(tx, key, token)))
    return transaction;
  await queries.forgetAccount(tx, key, token);
  return { ...transaction, snapshot: { ...transaction.snapshot, appAccountToken: null } };
}

export async function recordFacts(tx: Tx, key: ChainKey, facts: Facts): Promise<PurchaseChange[]> {
  const { renewal, receivedAt, checkedAt } = facts;
  const transactionId = facts.transaction?.snapshot.transactionId ?? null;
  // An erasure holds the app, then the chain.
  await shareApp(tx, key);
  const before = await queries.selectBefore(tx, key, transactionId);
  const transaction = await keptTransaction(tx, key, facts);
  const update = {
    renewal: renewal?.snapshot ?? null,
    status: facts.status,
    appAccountToken: transaction?.snapshot.appAccountToken ?? null,
    checkedAt,
  };
  // Pipelined: in this order, in one round trip.
  const [chain, , transactions] = await Promise.all([
    queries.upsertChain(tx, key, update),
    transaction ? queries.upsertTransaction(tx, key, transaction.snapshot) : null,
    queries.selectTransactions(tx, key),
    insertSigned(tx, key, { transaction, renewal, receivedAt }),
  ]);
  const { orgId, appId, environment, chainId, store } = key;
  const digest = digestChain({ chainId, store, transactions, ...chain });
  const account = newestAccount(transactions);
  const trial = findTrial(transactions);
  const changed = await queries.saveDigest(tx, key, { digest, trial, account });
  if (changed) {
    const data = { appId, environment, ...chainField(chainId) };
    await announce(tx, () => checkedAt, { orgId, type: 'entitlement.changed', data });
  }
  const recorded = transactions.find((one) => one.transactionId === transactionId) ?? null;
  return findChanges(before, { transaction: recorded, transactions, ...chain }, receivedAt);
}
