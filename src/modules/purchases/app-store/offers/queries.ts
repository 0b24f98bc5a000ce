import type { AppScope } from '../../../../shared/app.ts';
import { type Db, firstValue } from '../../../../storage/postgres.ts';
import type { ChainKey } from '../../model/chain.ts';
import { STORED } from '../../model/stored.ts';
import type { Bought } from './eligibility.ts';

export const selectGroupOfProduct = (db: Db, { orgId, appId }: AppScope, productId: string) =>
  firstValue(db<{ group: string }[]>`
    SELECT subscription_group AS "group" FROM purchase_transactions
    WHERE org_id = ${orgId} AND app_id = ${appId} AND snapshot ->> 'productId' = ${productId}
      AND subscription_group IS NOT NULL LIMIT 1`);

const MAX_TRANSACTIONS = 2_000;

export type BoughtTransaction = Bought & { transactionId: string };

export async function selectBought(
  db: Db,
  { orgId, appId }: AppScope,
  chains: readonly Pick<ChainKey, 'environment' | 'chainId'>[],
): Promise<BoughtTransaction[]> {
  if (chains.length === 0) return [];
  const introductory = STORED.offer.toCode('introductory');
  return db<BoughtTransaction[]>`
    SELECT t.transaction_id AS "transactionId", t.subscription_group AS "group",
      t.snapshot ->> 'type' = 'subscription' AS "isSubscription",
      t.snapshot ->> 'ownership' = 'family_shared' AS "isShared",
      t.offer_type IS NOT DISTINCT FROM ${introductory} AS "isIntroductory"
    FROM purchase_transactions t
    JOIN unnest(${chains.map(({ environment }) => environment)}::text[],
      ${chains.map(({ chainId }) => chainId)}::text[]) AS c (environment, chain)
      ON t.environment = c.environment AND t.original_transaction_id = c.chain
    WHERE t.org_id = ${orgId} AND t.app_id = ${appId}
    ORDER BY (t.snapshot ->> 'purchasedAt')::bigint DESC, t.transaction_id DESC
    LIMIT ${MAX_TRANSACTIONS}`;
}
