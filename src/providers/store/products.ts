import {
  PRODUCT_STATES,
  type ProductKind,
  type ProductPeriod,
  type ProductState,
  type StoreProduct,
} from '../../shared/store-product.ts';
import { withoutNul } from '../../shared/text.ts';
import {
  groupsPage,
  type InAppPurchaseWire,
  inAppPurchasesPage,
  type SubscriptionWire,
  subscriptionsPage,
} from './wire.ts';

const KINDS: Readonly<Record<string, ProductKind>> = {
  CONSUMABLE: 'consumable',
  NON_CONSUMABLE: 'non_consumable',
  NON_RENEWING_SUBSCRIPTION: 'non_renewing',
};

const PERIODS: Readonly<Record<string, ProductPeriod>> = {
  ONE_WEEK: 'P1W',
  ONE_MONTH: 'P1M',
  TWO_MONTHS: 'P2M',
  THREE_MONTHS: 'P3M',
  SIX_MONTHS: 'P6M',
  ONE_YEAR: 'P1Y',
};

const toState = (word: string | null | undefined): ProductState =>
  PRODUCT_STATES.find((state) => state === word?.toLowerCase()) ?? 'unknown';

function toCommon({ id, attributes }: InAppPurchaseWire | SubscriptionWire) {
  return {
    productId: withoutNul(attributes?.productId ?? ''),
    storeId: id,
    name: withoutNul(attributes?.name ?? ''),
    familySharable: attributes?.familySharable ?? false,
    state: toState(attributes?.state),
  };
}

const fromPurchase = (wire: InAppPurchaseWire): StoreProduct => ({
  ...toCommon(wire),
  kind: KINDS[wire.attributes?.inAppPurchaseType ?? ''] ?? 'unknown',
  period: null,
  group: null,
  level: null,
});

const fromSubscription = (
  wire: SubscriptionWire,
  group: NonNullable<StoreProduct['group']>,
): StoreProduct => ({
  ...toCommon(wire),
  kind: 'auto_renewable',
  period: PERIODS[wire.attributes?.subscriptionPeriod ?? ''] ?? null,
  group,
  level: wire.attributes?.groupLevel ?? null,
});

type Paged<T> = { data: readonly T[]; links: { next?: string | null } };
export type ReadAll = <T>(
  path: string,
  query: Record<string, string>,
  parse: (value: unknown) => Paged<T>,
) => Promise<T[]>;

export async function listProducts(all: ReadAll, storeAppId: string): Promise<StoreProduct[]> {
  const app = `/v1/apps/${encodeURIComponent(storeAppId)}`;
  const purchases = await all(
    `${app}/inAppPurchasesV2`,
    { 'fields[inAppPurchases]': 'name,productId,inAppPurchaseType,state,familySharable' },
    inAppPurchasesPage.parse,
  );
  const products = purchases.map(fromPurchase);
  const named = { 'fields[subscriptionGroups]': 'referenceName' };
  for (const { id, attributes } of await all(
    `${app}/subscriptionGroups`,
    named,
    groupsPage.parse,
  )) {
    const group = { id, name: withoutNul(attributes?.referenceName ?? '') };
    const subscriptions = await all(
      `/v1/subscriptionGroups/${encodeURIComponent(id)}/subscriptions`,
      {
        'fields[subscriptions]':
          'name,productId,state,subscriptionPeriod,groupLevel,familySharable',
      },
      subscriptionsPage.parse,
    );
    products.push(...subscriptions.map((one) => fromSubscription(one, group)));
  }
  const known = products.filter(({ productId }) => productId !== '');
  return [...new Map(known.map((product) => [product.productId, product])).values()];
}
