import { subjectHash } from '../../../event-store/people.ts';
import type { AppScope } from '../../../shared/app.ts';
import { must } from '../../../shared/assert.ts';
import type { Db } from '../../../storage/postgres.ts';

/** Account tokens are stored in lower case. */
const isLinked = (db: Db, scope: AppScope, personIds: readonly string[]) => db`
  org_id = ${scope.orgId} AND app_id = ${scope.appId} AND (person_id = ANY(${[...personIds]})
    OR (kind = 'token' AND person_id = ANY(${personIds.map((id) => id.toLowerCase())})))`;

/** Ids of erased people, never to be linked again. */
export async function selectErased(
  db: Db,
  scope: AppScope,
  ids: readonly string[],
  as: 'person' | 'device' = 'person',
): Promise<ReadonlySet<string>> {
  const byHash = new Map(ids.map((id) => [subjectHash(scope.appId, id), id]));
  const rows = await db<{ subject_hash: string }[]>`
    SELECT subject_hash FROM event_erasures
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND subject_hash = ANY(${[...byHash.keys()]}) AND erased_as IN ('both', ${as})`;
  return new Set(
    rows.map((row) => must(byHash.get(row.subject_hash), 'the query selects only these hashes')),
  );
}

/** Must run before `erasePurchaseLinks`. */
export async function eraseSignedTexts(
  db: Db,
  scope: AppScope,
  personIds: readonly string[],
): Promise<void> {
  const held = () => db`
    SELECT environment, original_transaction_id FROM purchase_links
    WHERE ${isLinked(db, scope, personIds)}`;
  await db`
    UPDATE purchase_chains SET keeps_signed_text = false
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND (environment, original_transaction_id) IN (${held()})`;
  const own = db`
    t.org_id = ${scope.orgId} AND t.app_id = ${scope.appId}
      AND (t.environment, t.original_transaction_id) IN (${held()})`;
  await db`
    UPDATE purchase_notices n SET app_transaction = NULL,
      resolved_at = coalesce(n.resolved_at, now())
    FROM purchase_transactions t
    WHERE ${own} AND n.app_id = t.app_id AND n.environment = t.environment
      AND n.app_transaction = t.app_transaction_id AND t.app_transaction_id <> ''`;
  await db`
    UPDATE purchase_transactions t SET app_transaction_id = ''
    WHERE ${own} AND t.app_transaction_id IS DISTINCT FROM ''`;
  for (const table of ['purchase_transactions', 'purchase_renewals']) {
    await db`
      UPDATE ${db(table)} SET signed_text = NULL
      WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND signed_text IS NOT NULL
        AND (environment, original_transaction_id) IN (${held()})`;
  }
  await db`
    UPDATE purchase_refund_requests SET evidence = NULL
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND evidence IS NOT NULL
      AND (environment, original_transaction_id) IN (${held()})`;
}

export async function erasePurchaseLinks(
  db: Db,
  scope: AppScope,
  personIds: readonly string[],
): Promise<void> {
  await db`
    DELETE FROM purchase_links WHERE ${isLinked(db, scope, personIds)}`;
  await db`
    UPDATE purchase_chains SET users = ARRAY(
      SELECT held FROM unnest(users) AS held WHERE held <> ALL(${[...personIds]}))
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND users && ${[...personIds]}`;
  await db`
    UPDATE purchase_audit SET
      from_id = CASE WHEN from_id = ANY(${[...personIds]}) THEN 'erased' ELSE from_id END,
      to_id = CASE WHEN to_id = ANY(${[...personIds]}) THEN 'erased' ELSE to_id END
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND (from_id = ANY(${[...personIds]}) OR to_id = ANY(${[...personIds]}))`;
}
