import { ACCOUNT_TOKEN } from '../../../shared/account-token.ts';
import { at, onlyRow } from '../../../shared/assert.ts';
import type { Sql } from '../../../storage/postgres.ts';
import type { OverviewScope } from '../overview/queries.ts';

/** `purchase_buyer` of all chains at once, as events know them. */
export async function selectBuyers(
  sql: Sql,
  { orgId, appId, environment }: OverviewScope,
): Promise<Map<string, string>> {
  // One row of two lists: a row for each costs the driver more than the answer.
  const rows = await sql<{ ids: string[] | null; people: string[] | null }[]>`
    WITH buyer AS (
      SELECT DISTINCT ON (original_transaction_id COLLATE "C") original_transaction_id AS id,
        kind, person_id
      FROM purchase_links
      WHERE org_id = ${orgId} AND app_id = ${appId} AND environment = ${environment}
      ORDER BY original_transaction_id COLLATE "C",
        array_position(ARRAY['user', 'token', 'anonymous'], kind), linked_at, person_id
    )
    SELECT json_agg(b.id) AS ids,
      json_agg(coalesce(device.user_id, account.user_id, b.person_id)) AS people
    FROM buyer b
    LEFT JOIN event_people device ON b.kind = 'anonymous' AND device.org_id = ${orgId}
      AND device.app_id = ${appId} AND device.anonymous_id = b.person_id
    LEFT JOIN LATERAL (
      SELECT coalesce(max(p.user_id) FILTER (WHERE p.user_id = b.person_id), max(p.user_id)) AS user_id
      FROM event_people p
      WHERE b.kind <> 'anonymous' AND b.person_id ~* ${ACCOUNT_TOKEN}
        AND p.org_id = ${orgId} AND p.app_id = ${appId}
        AND p.user_id IN (b.person_id, lower(b.person_id), upper(b.person_id))
    ) account ON true`;
  const { ids, people } = onlyRow(rows);
  const buyers = new Map<string, string>();
  for (const [index, id] of (ids ?? []).entries()) buyers.set(id, at(people ?? [], index));
  return buyers;
}
