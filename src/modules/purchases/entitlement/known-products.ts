import type { AppScope } from '../../../shared/app.ts';
import type { Db } from '../../../storage/postgres.ts';
import { readReportedProducts, selectCatalogue } from '../../sales/index.ts';
import { type KnownProduct, MAX_KNOWN_PRODUCTS, type NamedEntitlements } from '../model/names.ts';
import { selectBoughtProducts } from './names-queries.ts';

export type KnownProducts = Pick<NamedEntitlements, 'isCatalogueRefused' | 'products'>;

/** Of the catalogue, bought or reported. */
export async function selectKnownProducts(db: Db, scope: AppScope): Promise<KnownProducts> {
  const bought = new Set(await selectBoughtProducts(db, scope));
  const reported = new Set(await readReportedProducts(db, scope, MAX_KNOWN_PRODUCTS));
  const catalogue = await selectCatalogue(db, scope, MAX_KNOWN_PRODUCTS);
  const listed = new Map(
    catalogue?.products.map(({ productId, storeId: _, ...product }) => [productId, product]),
  );
  const ids = new Set([...listed.keys(), ...bought, ...reported]);
  const products = [...ids]
    .toSorted()
    .slice(0, MAX_KNOWN_PRODUCTS)
    .map((id): KnownProduct => {
      const seen = { id, isBought: bought.has(id), isReported: reported.has(id) };
      const product = listed.get(id);
      return product ? { ...seen, listed: product } : seen;
    });
  return catalogue?.isRefused ? { products, isCatalogueRefused: true } : { products };
}
