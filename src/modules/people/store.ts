import type { Db } from '../../storage/postgres.ts';

type AppScope = { orgId: string; appId: string };

/** Who a purchase belongs to is forgotten; what the store says about it stays, without a person. */
export async function erasePurchaseLinks(
  db: Db,
  { orgId, appId }: AppScope,
  ids: readonly string[],
): Promise<void> {
  const people = [...ids];
  await db`
    DELETE FROM purchase_links
    WHERE org_id = ${orgId} AND app_id = ${appId} AND kind IN ('user', 'anonymous')
      AND person_id = ANY(${people})`;
  await db`
    UPDATE purchase_chains SET users = ARRAY(SELECT u FROM unnest(users) u WHERE u <> ALL(${people}))
    WHERE org_id = ${orgId} AND app_id = ${appId} AND users && ${people}::text[]`;
  await db`
    UPDATE purchase_audit SET
      from_id = CASE WHEN from_id = ANY(${people}) THEN NULL ELSE from_id END,
      to_id = CASE WHEN to_id = ANY(${people}) THEN NULL ELSE to_id END
    WHERE org_id = ${orgId} AND app_id = ${appId}
      AND (from_id = ANY(${people}) OR to_id = ANY(${people}))`;
}

/** Entries of the app, or of none in particular, that name one of the ids as a whole JSON string. */
export async function eraseLogEntries(
  db: Db,
  { orgId, appId }: AppScope,
  ids: readonly string[],
): Promise<void> {
  const quoted = ids.map((id) => JSON.stringify(id));
  await db`
    DELETE FROM logs WHERE org_id = ${orgId} AND (app_id = ${appId} OR app_id IS NULL)
      AND EXISTS (SELECT 1 FROM unnest(${quoted}::text[]) AS q(id) WHERE strpos(entry, q.id) > 0)`;
}
