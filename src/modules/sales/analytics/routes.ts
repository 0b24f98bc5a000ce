import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../../http/route.ts';
import { Named, Nullable } from '../../../shared/schema.ts';
import { syncAnalytics } from '../collection/actor.ts';
import { getAnalytics } from './get.ts';
import { Analytics, AnalyticsQuery } from './model.ts';
import { SyncedAll, syncAll } from './sync-all.ts';

const SyncBody = Type.Optional(
  Named(
    'SyncAnalyticsBody',
    { force: Type.Optional(Type.Boolean()) },
    { examples: [{ force: true }] },
  ),
);

const Synced = Named('SyncedAnalytics', {
  checked: Type.Integer(),
  rowsWritten: Type.Integer(),
  daysRemaining: Type.Integer({
    description:
      'Days of sales that are missing: never asked for, not published yet, or unreadable',
  }),
  coveredThrough: Nullable(Type.String()),
  stoppedBecause: Nullable(Type.String()),
  skipped: Type.Boolean(),
});

export const analyticsRoutes = taggedRoutes('Analytics', '')
  .get('/v1/analytics', ({ ctx, query }) => getAnalytics(ctx, query), {
    forOrganization: { permission: 'analytics:read', errors: ['store_app_not_found'] },
    query: AnalyticsQuery,
    response: { 200: Analytics },
    detail: {
      operationId: 'getSalesAnalytics',
      summary: 'Sales, downloads and proceeds of a window of Pacific days',
      description:
        'From the daily reports of the store, a day late. Money is in integer minor units of `currency`, each day at the rate of the European Central Bank; what has no rate is in `unconverted` and in no total. `freshness` says which days are there. All of it can be narrowed to an app, a country and a product; a country or product without sales is all zeros.',
    },
  })
  .post('/v1/analytics/sync', ({ ctx, body }) => syncAnalytics(ctx, body ?? {}), {
    forOrganization: { permission: 'analytics:sync', errors: ['store_not_connected'] },
    body: SyncBody,
    response: { 200: Synced },
    detail: {
      operationId: 'syncSales',
      summary: 'Collect what is due from the store now',
      description: 'Answers with what is still missing; collecting goes on by itself.',
    },
  })
  .post('/internal/analytics/sync-all', ({ ctx }) => syncAll(ctx), {
    open: { secret: 'cronSecret', errors: ['not_available'] },
    response: { 200: SyncedAll },
    detail: {
      operationId: 'syncAllSales',
      summary: 'Wake every organization; for the scheduler',
      description:
        'Starts collecting for every connected organization and waits for the short ones.',
      tags: ['System'],
    },
  });
