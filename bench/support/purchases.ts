import { recordFacts } from '../../src/modules/purchases/ledger/record-facts.ts';
import {
  insertLinks,
  refreshHolders,
} from '../../src/modules/purchases/ownership/links-queries.ts';
import {
  toRenewal,
  toRenewalDetails,
  toTransaction,
  toTransactionDetails,
} from '../../src/providers/store-server/map.ts';
import type { Sql } from '../../src/storage/postgres.ts';
import { SimulatedSubscription } from '../../test/simulators/store-server/subscription.ts';

export type BenchPurchases = { orgId: string; appId: string; bundleId: string };

const START = Date.now() - 365 * 86_400_000;

/** `count` people with a year of monthly renewals each: user `u<i>`, anonymous id `anonymous-<i>`. */
export async function fillPurchases(
  sql: Sql,
  { orgId, appId, bundleId }: BenchPurchases,
  count: number,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const subscription = new SimulatedSubscription({
      bundleId,
      environment: 'Production',
      start: START,
    });
    for (let month = 0; month < 12; month += 1) subscription.renew();
    const key = {
      store: 'app_store' as const,
      orgId,
      appId,
      environment: 'Production' as const,
      chainId: subscription.originalTransactionId,
    };
    await sql.begin(async (tx) => {
      for (const told of subscription.told) {
        await recordFacts(tx, key, {
          transaction: {
            snapshot: toTransaction(told.transaction),
            details: toTransactionDetails(told.transaction, 'signed'),
          },
          renewal: {
            snapshot: toRenewal(told.renewal),
            details: toRenewalDetails(told.renewal, 'signed'),
          },
          status: null,
          checkedAt: new Date(),
          receivedAt: new Date(),
        });
      }
      await insertLinks(tx, key, [{ kind: 'user', personId: `u${index}` }], new Date());
      await refreshHolders(tx, key);
    });
  }
  await sql`
    INSERT INTO event_people (app_id, anonymous_id, user_id, org_id, mapped_at, catalogued_seq)
    SELECT ${appId}, 'anonymous-' || i, 'u' || i, ${orgId}, now(), i
    FROM generate_series(0, ${count - 1}) AS i`;
  await sql`ANALYZE`;
}
