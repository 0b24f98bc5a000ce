import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { getInsights } from './get.ts';
import { Insights, InsightsQuery } from './model.ts';

export const insightsRoutes = new Elysia({ detail: { tags: ['Insights'] } })
  .use(access)
  .get('/v1/apps/:id/insights', ({ ctx, query }) => getInsights(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: InsightsQuery,
    response: { 200: Insights },
    detail: { summary: 'Store conversions and the default funnel together, with recommendations' },
  });
