import { Elysia } from 'elysia';
import { appContext } from '../../http/state.ts';
import { getInsights } from './get.ts';
import { Insights, InsightsQuery } from './model.ts';

export const insightsRoutes = new Elysia({ detail: { tags: ['Insights'] } }).get(
  '/v1/apps/:id/insights',
  ({ request, query }) => getInsights(appContext(request), query),
  {
    query: InsightsQuery,
    response: { 200: Insights },
    detail: { summary: 'Store conversions and the default funnel together, with recommendations' },
  },
);
