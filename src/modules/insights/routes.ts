import { taggedRoutes } from '../../http/route.ts';
import { getInsights } from './get.ts';
import { Insights, InsightsQuery } from './model.ts';

export const insightsRoutes = taggedRoutes('Insights', '').get(
  '/v1/apps/:id/insights',
  ({ ctx, query }) => getInsights(ctx, query),
  {
    forApp: { permission: 'analytics:read' },
    query: InsightsQuery,
    response: { 200: Insights },
    detail: {
      operationId: 'getInsights',
      summary: 'Store conversions and the default funnel together, with recommendations',
      description:
        'Downloads, trials and purchases of the store beside the default funnel of the same Pacific days. Each recommendation rests on one metric and the threshold that it was held against; under fifty people the funnel draws no figure.',
    },
  },
);
