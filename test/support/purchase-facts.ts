import { announceChanges } from '../../src/modules/purchases/ledger/announce-changes.ts';
import { recordFacts } from '../../src/modules/purchases/ledger/record-facts.ts';
import type { ChainKey } from '../../src/modules/purchases/model/chain.ts';
import {
  toRenewal,
  toRenewalDetails,
  toStatus,
  toTransaction,
  toTransactionDetails,
} from '../../src/providers/store-server/map.ts';
import { must } from '../../src/shared/assert.ts';
import type { Sql } from '../../src/storage/postgres.ts';
import type { Told } from '../simulators/store-server/subscription.ts';

/**
 * Records what a notification says as the workflow does once its signature is checked, which takes
 * most of its time.
 */
export async function recordTold(
  sql: Sql,
  scope: { orgId: string; appId: string },
  { transaction, renewal, status, signedDate }: Told,
  at: Date,
): Promise<void> {
  const snapshot = toTransaction(transaction);
  const { environment, chainId, transactionId } = snapshot;
  const key: ChainKey = { store: 'app_store', ...scope, environment, chainId };
  await sql.begin(async (tx) => {
    const changes = await recordFacts(tx, key, {
      transaction: {
        snapshot,
        details: toTransactionDetails(transaction, JSON.stringify(transaction)),
      },
      renewal: {
        snapshot: toRenewal(renewal),
        details: toRenewalDetails(renewal, JSON.stringify(renewal)),
      },
      status: { status: must(toStatus(status), 'a known status'), asOf: signedDate, transactionId },
      checkedAt: new Date(Math.min(signedDate, at.getTime())),
      receivedAt: at,
    });
    await announceChanges(tx, key, changes, at);
  });
}
