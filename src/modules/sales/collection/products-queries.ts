import { Type } from '@sinclair/typebox';
import type { AppScope } from '../../../shared/app.ts';
import { parser } from '../../../shared/schema.ts';
import { StoreProduct } from '../../../shared/store-product.ts';
import { type Db, type Tx, done, column } from '../../../storage/postgres.ts';

type StoreAppScope = { orgId: string; storeAppId: string };

const productsParser = parser(Type.Array(StoreProduct), 'store_products rows');

export async function replaceProducts(
  tx: Tx,
  { orgId, storeAppId }: StoreAppScope,
  products: readonly StoreProduct[],
  at: Date,
): Promise<void> {
  await tx`DELETE FROM store_products WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}`;
  const text = JSON.stringify(products);
  await tx`
    INSERT INTO store_products (org_id, store_app_id, product_id, store_id, kind, name, period,
      group_id, group_name, level, family_sharable, state)
    SELECT ${orgId}, ${storeAppId}, p ->> 'productId', p ->> 'storeId', p ->> 'kind', p ->> 'name',
      p ->> 'period', p #>> '{group,id}', p #>> '{group,name}', (p ->> 'level')::integer,
      (p ->> 'familySharable')::boolean, p ->> 'state'
    FROM jsonb_array_elements(${text}::text::jsonb) AS p`;
  await noteProducts(tx, { orgId, storeAppId }, { at, isRefused: false });
}

export const noteProducts = (
  db: Db,
  { orgId, storeAppId }: StoreAppScope,
  { at, isRefused }: { at: Date; isRefused: boolean },
) =>
  done(db`
    UPDATE store_apps SET products_checked_at = ${at}, products_refused = ${isRefused}
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}`);

export const selectStaleCatalogues = (db: Db, orgId: string, before: Date) =>
  column(db<{ storeAppId: string }[]>`
    SELECT store_app_id AS "storeAppId" FROM store_apps
    WHERE org_id = ${orgId} AND listed
      AND (products_checked_at IS NULL OR products_checked_at <= ${before})
    ORDER BY app_id IS NULL, products_checked_at NULLS FIRST, store_app_id`);

export type Catalogue = { isRefused: boolean; products: StoreProduct[] };

export async function selectCatalogue(
  db: Db,
  { orgId, appId }: AppScope,
  limit: number,
): Promise<Catalogue | null> {
  const [row] = await db<{ isRefused: boolean; products: unknown }[]>`
    SELECT s.products_refused AS "isRefused", coalesce((
      SELECT jsonb_agg(jsonb_build_object('productId', p.product_id, 'storeId', p.store_id,
        'kind', p.kind, 'name', p.name, 'period', p.period,
        'group', CASE WHEN p.group_id IS NOT NULL
          THEN jsonb_build_object('id', p.group_id, 'name', p.group_name) END,
        'level', p.level, 'familySharable', p.family_sharable, 'state', p.state))
      FROM (
        SELECT * FROM store_products WHERE org_id = s.org_id AND store_app_id = s.store_app_id
        ORDER BY product_id LIMIT ${limit}) p), '[]') AS products
    FROM store_apps s
    WHERE s.org_id = ${orgId} AND s.app_id = ${appId} AND s.products_checked_at IS NOT NULL`;
  return row ? { ...row, products: productsParser.parse(row.products) } : null;
}
