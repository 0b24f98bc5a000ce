import { Type } from '@sinclair/typebox';
import type { AppScope } from '../../../shared/app.ts';
import { onlyRow } from '../../../shared/assert.ts';
import { parser } from '../../../shared/schema.ts';
import { lockSubject } from '../../../storage/locks.ts';
import { type Db, type Fragment, type Tx, done } from '../../../storage/postgres.ts';
import { MAX_KNOWN_PRODUCTS, NamedEntitlement } from '../model/names.ts';

type NameUse = { name: string; what: string };

/** Nothing begins to use a name until the transaction is over. */
export async function lockNameUses(tx: Tx, { orgId, appId }: AppScope): Promise<void> {
  await lockSubject(tx, 'segments', appId);
  await lockSubject(tx, 'webhooks', orgId);
}

export async function selectNameUse(
  tx: Tx,
  { orgId, appId }: AppScope,
  { names, now }: { names: readonly string[]; now: Date },
): Promise<NameUse | null> {
  const isOne = (name: Fragment) => tx`${name} = ANY(${[...names]})`;
  const [use] = await tx<NameUse[]>`
    (SELECT entitlement AS name, 'the running grant of ' || user_id AS what
    FROM purchase_grants
    WHERE org_id = ${orgId} AND app_id = ${appId} AND ${isOne(tx`entitlement`)}
      AND ended_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
    ORDER BY grant_id LIMIT 1)
    UNION ALL
    (SELECT clause ->> 'entitlement', 'the segment “' || s.name || '”'
    FROM segments s, jsonb_path_query(s.rule, '$.*[*]') AS clause
    WHERE s.org_id = ${orgId} AND s.app_id = ${appId} AND ${isOne(tx`clause ->> 'entitlement'`)}
    ORDER BY s.segment_id LIMIT 1)
    UNION ALL
    (SELECT named, 'the webhook to ' || w.url FROM webhooks w, unnest(w.entitlements) AS named
    WHERE w.org_id = ${orgId} AND ${isOne(tx`named`)} AND NOT EXISTS (
      SELECT FROM purchase_entitlements e
      WHERE e.org_id = ${orgId} AND e.app_id <> ${appId} AND e.name = named)
    ORDER BY w.webhook_id LIMIT 1)
    LIMIT 1`;
  return use ?? null;
}

const namesParser = parser(Type.Array(NamedEntitlement), 'purchase_entitlements rows');
export const parseNames = (stored: unknown): NamedEntitlement[] => namesParser.parse(stored);

/** In their order, as JSON. */
export const namesJson = (db: Db, { orgId, appId }: AppScope) => db`
  (SELECT coalesce(jsonb_agg(jsonb_build_object('name', e.name, 'productIds', e.product_ids)
    ORDER BY e.place), '[]')
  FROM purchase_entitlements e WHERE e.org_id = ${orgId} AND e.app_id = ${appId})`;

export async function selectNames(db: Db, scope: AppScope): Promise<NamedEntitlement[]> {
  const rows = await db<{ names: unknown }[]>`SELECT ${namesJson(db, scope)} AS names`;
  return parseNames(onlyRow(rows).names);
}

export async function replaceNames(
  tx: Tx,
  { orgId, appId }: AppScope,
  names: readonly NamedEntitlement[],
  at: Date,
): Promise<void> {
  await deleteNames(tx, { orgId, appId });
  for (const [place, { name, productIds }] of names.entries()) {
    await tx`
      INSERT INTO purchase_entitlements (org_id, app_id, name, place, product_ids, updated_at)
      VALUES (${orgId}, ${appId}, ${name}, ${place}, ${productIds}, ${at})`;
  }
}

/** By the index of products: one look-up each. */
export async function selectBoughtProducts(db: Db, { orgId, appId }: AppScope): Promise<string[]> {
  const next = (beyond: ReturnType<Db>) => db`
    SELECT t.snapshot ->> 'productId' FROM purchase_transactions t
    WHERE t.org_id = ${orgId} AND t.app_id = ${appId} ${beyond}
    ORDER BY t.snapshot ->> 'productId' LIMIT 1`;
  const rows = await db<{ id: string }[]>`
    WITH RECURSIVE bought (id) AS (
      SELECT (${next(db``)})
      UNION ALL
      SELECT (${next(db`AND t.snapshot ->> 'productId' > b.id`)}) FROM bought b
      WHERE b.id IS NOT NULL
    )
    SELECT id FROM bought WHERE id IS NOT NULL LIMIT ${MAX_KNOWN_PRODUCTS}`;
  return rows.map(({ id }) => id);
}

export const deleteNames = (db: Db, { orgId, appId }: AppScope) =>
  done(db`DELETE FROM purchase_entitlements WHERE org_id = ${orgId} AND app_id = ${appId}`);
