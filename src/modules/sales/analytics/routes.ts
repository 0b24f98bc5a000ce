import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { Nullable } from '../../../shared/schema.ts';
import { syncAnalytics } from '../collection/actor.ts';
import { getAnalytics } from './get.ts';
import { Analytics, AnalyticsQuery } from './model.ts';
import { SyncedAll, syncAll } from './sync-all.ts';

const SyncBody = Type.Optional(Type.Object({ force: Type.Optional(Type.Boolean()) }));

const Synced = Type.Object({
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

export const analyticsRoutes = new Elysia({ detail: { tags: ['Analytics'] } })
  .use(access)
  .get('/v1/analytics', ({ ctx, query }) => getAnalytics(ctx, query), {
    forOrganization: { permission: 'analytics:read' },
    query: AnalyticsQuery,
    response: { 200: Analytics },
    detail: { summary: 'Sales, downloads and proceeds of a window of Pacific days' },
  })
  .post('/v1/analytics/sync', ({ ctx, body }) => syncAnalytics(ctx, body ?? {}), {
    forOrganization: { permission: 'analytics:sync', errors: ['store_not_connected'] },
    body: SyncBody,
    response: { 200: Synced },
    detail: { summary: 'Collect what is due from the store now' },
  })
  .post('/internal/analytics/sync-all', ({ ctx }) => syncAll(ctx), {
    open: { secret: 'cronSecret', errors: ['not_available'] },
    response: { 200: SyncedAll },
    detail: { summary: 'Wake every organization; for the scheduler', tags: ['System'] },
  });
