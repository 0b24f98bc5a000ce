import type { SimulatorAnswer, SimulatorRequest } from '../kit/server.ts';
import type { SimulatedApp, SimulatedProduct } from './account.ts';
import { ERRORS } from './errors.ts';

const TYPES: Readonly<Record<string, string>> = {
  IA1: 'CONSUMABLE',
  'IA1-M': 'CONSUMABLE',
  FI1: 'NON_CONSUMABLE',
  IA3: 'NON_CONSUMABLE',
  IA9: 'NON_RENEWING_SUBSCRIPTION',
};
const PERIODS: Readonly<Record<string, string>> = {
  '7 Days': 'ONE_WEEK',
  '1 Month': 'ONE_MONTH',
  '1 Year': 'ONE_YEAR',
};
const LIMIT_MAX = 200;

type Item = { type: string; id: string; attributes: Record<string, unknown> };
type Asked = { request: SimulatorRequest; base: string; pageSize: number };

const renews = ({ type }: SimulatedProduct): boolean => type === 'IAY';
export const groupOf = ({ id }: SimulatedApp) => ({ id: `${id}1`, name: 'Pro' });

/** A page, of no field that was not asked for. */
function pageOf(items: readonly Item[], fields: string, asked: Asked): SimulatorAnswer {
  const { query, path } = asked.request;
  const allowed = [fields, 'limit', 'cursor'];
  const unknown = [...query.keys()].find((name) => !allowed.includes(name));
  if (unknown) return ERRORS.unknownParameter(unknown);
  const limit = Number(query.get('limit') ?? '50');
  if (!(limit >= 1 && limit <= LIMIT_MAX)) return ERRORS.unknownParameter('limit');
  const wanted = query.get(fields)?.split(',');
  const size = Math.min(limit, asked.pageSize);
  const start = Number(query.get('cursor') ?? '0');
  const next = new URLSearchParams([...query].filter(([name]) => name !== 'cursor'));
  next.set('cursor', String(start + size));
  return {
    status: 200,
    json: {
      data: items.slice(start, start + size).map(({ type, id, attributes }) => ({
        type,
        id,
        attributes: Object.fromEntries(
          Object.entries(attributes).filter(([name]) => wanted?.includes(name) ?? true),
        ),
      })),
      links: {
        self: `${asked.base}${path}`,
        ...(start + size < items.length ? { next: `${asked.base}${path}?${next}` } : {}),
      },
      meta: { paging: { total: items.length, limit } },
    },
  };
}

const common = ({ name, sku, state = 'APPROVED', family = false }: SimulatedProduct) => ({
  name,
  productId: sku,
  state,
  familySharable: family,
});

/** Null for an address of another kind. */
export function catalogue(
  apps: readonly SimulatedApp[],
  isAllowed: boolean,
  asked: Asked,
): SimulatorAnswer | null {
  const [, ofApp, kind] =
    /^\/v1\/apps\/([^/]+)\/(inAppPurchasesV2|subscriptionGroups)$/.exec(asked.request.path) ?? [];
  const group = /^\/v1\/subscriptionGroups\/([^/]+)\/subscriptions$/.exec(asked.request.path)?.[1];
  if (!ofApp && !group) return null;
  if (!isAllowed) return ERRORS.roleMissing();
  const app = apps.find((one) => !one.deleted && (one.id === ofApp || groupOf(one).id === group));
  if (!app) return ERRORS.noSuchResource();
  const subscriptions = app.products.filter(renews);
  if (kind === 'inAppPurchasesV2') {
    const items = app.products
      .filter((product) => !renews(product))
      .map((product) => ({
        type: 'inAppPurchases',
        id: product.id,
        attributes: { ...common(product), inAppPurchaseType: TYPES[product.type], reviewNote: '' },
      }));
    return pageOf(items, 'fields[inAppPurchases]', asked);
  }
  if (kind === 'subscriptionGroups') {
    const { id, name } = groupOf(app);
    const items = [{ type: 'subscriptionGroups', id, attributes: { referenceName: name } }];
    return pageOf(subscriptions.length > 0 ? items : [], 'fields[subscriptionGroups]', asked);
  }
  const items = subscriptions.map((product, index) => ({
    type: 'subscriptions',
    id: product.id,
    attributes: {
      ...common(product),
      subscriptionPeriod: PERIODS[product.period],
      groupLevel: index + 1,
    },
  }));
  return pageOf(items, 'fields[subscriptions]', asked);
}
