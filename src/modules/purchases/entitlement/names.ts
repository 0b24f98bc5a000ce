import type { AppContext } from '../../../context.ts';
import type { AppScope } from '../../../shared/app.ts';
import { AppError, invalidInput } from '../../../shared/errors.ts';
import type { Db, Tx } from '../../../storage/postgres.ts';
import { lockApp } from '../../../storage/rows-of-app.ts';
import { readReportedProducts, selectCatalogue } from '../../sales/index.ts';
import * as model from '../model/names.ts';
import * as queries from './names-queries.ts';

type KnownProducts = Pick<model.NamedEntitlements, 'isCatalogueRefused' | 'products'>;

/** Products of the catalogue, bought or reported. */
export async function selectKnownProducts(db: Db, scope: AppScope): Promise<KnownProducts> {
  const bought = new Set(await queries.selectBoughtProducts(db, scope));
  const reported = new Set(await readReportedProducts(db, scope, model.MAX_KNOWN_PRODUCTS));
  const catalogue = await selectCatalogue(db, scope, model.MAX_KNOWN_PRODUCTS);
  const listed = new Map(
    catalogue?.products.map(({ productId, storeId: _, ...product }) => [productId, product]),
  );
  const ids = new Set([...listed.keys(), ...bought, ...reported]);
  const products = [...ids]
    .toSorted()
    .slice(0, model.MAX_KNOWN_PRODUCTS)
    .map((id): model.KnownProduct => {
      const seen = { id, isBought: bought.has(id), isReported: reported.has(id) };
      const product = listed.get(id);
      return product ? { ...seen, listed: product } : seen;
    });
  return catalogue?.isRefused ? { products, isCatalogueRefused: true } : { products };
}

export async function getNamedEntitlements({
  deps,
  scope,
}: AppContext<'sql'>): Promise<model.NamedEntitlements> {
  const [entitlements, known] = await Promise.all([
    queries.selectNames(deps.sql, scope),
    selectKnownProducts(deps.sql, scope),
  ]);
  return { entitlements, ...known };
}

/** Products under a name stay known after their transactions were erased. */
function checkProducts(
  wanted: readonly model.NamedEntitlement[],
  before: readonly model.NamedEntitlement[],
  products: readonly model.KnownProduct[],
): void {
  const kept = before.flatMap(({ productIds }) => productIds);
  const known = new Set([...products.map(({ id }) => id), ...kept]);
  for (const [index, { productIds }] of wanted.entries()) {
    const place = productIds.findIndex((id) => !known.has(id));
    if (place === -1) continue;
    throw invalidInput(
      `entitlements[${index}].productIds[${place}]`,
      `must be a product of the store, or one that was bought or reported: ${productIds[place]} is not known`,
    );
  }
}

function checkNames(wanted: readonly model.NamedEntitlement[]): void {
  const seen = new Set<string>();
  for (const [index, { name }] of wanted.entries()) {
    if (seen.has(name)) {
      throw invalidInput(`entitlements[${index}].name`, 'must be another than those before');
    }
    seen.add(name);
  }
}

/** Throws `conflict` for one that goes and is still used. */
async function checkGone(
  tx: Tx,
  scope: AppScope,
  gone: readonly model.NamedEntitlement[],
  now: Date,
): Promise<void> {
  if (gone.length === 0) return;
  await queries.lockNameUses(tx, scope);
  const use = await queries.selectNameUse(tx, scope, { names: gone.map(({ name }) => name), now });
  if (use === null) return;
  throw new AppError('conflict', `The entitlement “${use.name}” is used by ${use.what}.`, {
    hint: 'Change or end what uses it first, or keep the name.',
  });
}

/**
 * In place of all before. Throws `invalid_input` for a product that is not known, `conflict` for a
 * name that is used and left out.
 */
export async function putNamedEntitlements(
  { deps, scope }: AppContext<'clock' | 'purchaseProfiles' | 'sql'>,
  { entitlements }: model.NamedEntitlementsInput,
): Promise<model.NamedEntitlements> {
  checkNames(entitlements);
  const at = deps.clock();
  const known = await deps.sql.begin(async (tx) => {
    await lockApp(tx, scope);
    const before = await queries.selectNames(tx, scope);
    const found = await selectKnownProducts(tx, scope);
    checkProducts(entitlements, before, found.products);
    const kept = new Set(entitlements.map(({ name }) => name));
    const gone = before.filter(({ name }) => !kept.has(name));
    await checkGone(tx, scope, gone, at);
    await queries.replaceNames(tx, scope, entitlements, at);
    return found;
  });
  deps.purchaseProfiles.forget();
  return { entitlements, ...known };
}
