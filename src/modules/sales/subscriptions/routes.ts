import { taggedRoutes } from '../../../http/route.ts';
import { getSubscriptions } from './get.ts';
import { Subscriptions, SubscriptionsQuery } from './model.ts';

export const storeSubscriptionsRoutes = taggedRoutes('Store', '').get(
  '/v1/store/subscriptions',
  ({ ctx, query }) => getSubscriptions(ctx, query),
  {
    forOrganization: { permission: 'analytics:read', errors: ['store_app_not_found'] },
    query: SubscriptionsQuery,
    response: { 200: Subscriptions },
    detail: {
      operationId: 'getStoreSubscriptions',
      summary: 'Subscriptions by day, product, country, price and offer, as the store reports them',
      description:
        'Paid: in a paid period, at the standard price or a paid offer. Trials, grace period and billing retry are counted apart and never added, since the store does not say whether its counts overlap. Every day is a snapshot of the store’s Pacific day, so days do not add up; the breakdowns are those of the day `through`.',
    },
  },
);
