import type { AppScope } from '../../../shared/app.ts';
import { at, onlyRow } from '../../../shared/assert.ts';
import type { StoreEnvironment } from '../../../shared/environment.ts';
import { type Sql, type Tx, done } from '../../../storage/postgres.ts';
import type { ChainKey } from '../model/chain.ts';

/** The first stays: renewals are handed over too, long after the paywall. */
export const keepOffering = (tx: Tx, key: ChainKey, offering: string) =>
  done(tx`
    UPDATE purchase_chains SET offering = ${offering}
    WHERE org_id = ${key.orgId} AND app_id = ${key.appId} AND environment = ${key.environment}
      AND original_transaction_id = ${key.chainId} AND offering IS NULL`);

export async function selectOfferingsSeen(
  sql: Sql,
  { orgId, appId, environment }: AppScope & { environment: StoreEnvironment },
): Promise<Map<string, string>> {
  const rows = await sql<{ ids: string[] | null; offerings: string[] | null }[]>`
    SELECT json_agg(original_transaction_id) AS ids, json_agg(offering) AS offerings
    FROM purchase_chains
    WHERE org_id = ${orgId} AND app_id = ${appId} AND environment = ${environment}
      AND offering IS NOT NULL`;
  const { ids, offerings } = onlyRow(rows);
  return new Map(ids?.map((id, index) => [id, at(offerings ?? [], index)]));
}
