import type { AppContext } from '../../context.ts';
import { findDefaultFunnel } from '../funnels/index.ts';
import { readEventFacts } from './event-facts.ts';
import { NO_FUNNEL_FACTS, readFunnelFacts, shownReport } from './funnel-facts.ts';
import { DEFAULT_INSIGHT_DAYS, type Insights, type InsightsQuery } from './model.ts';
import { recommend } from './rules.ts';
import { pacificWindow, readStoreSide } from './store-facts.ts';

/** Store figures, the default funnel, and recommendations from both. */
export async function getInsights(
  ctx: AppContext<'clock' | 'latestExperiment' | 'queries' | 'rates' | 'salesFigures' | 'sql'>,
  query: InsightsQuery,
): Promise<Insights> {
  const { deps, orgId, app } = ctx;
  const now = deps.clock();
  const window = pacificWindow(now, query.days ?? DEFAULT_INSIGHT_DAYS);
  const funnel = await findDefaultFunnel(deps.sql, { orgId, appId: app.id });
  const [events, store, shown, funnelFacts] = await Promise.all([
    readEventFacts(ctx, window.days),
    readStoreSide(ctx, window.days),
    funnel && shownReport(ctx, funnel, window),
    funnel ? readFunnelFacts(ctx, funnel, window) : NO_FUNNEL_FACTS,
  ]);
  return {
    appId: app.id,
    window,
    store: store?.figures ?? null,
    funnel: shown,
    recommendations: recommend({ now, events, store: store?.facts ?? null, ...funnelFacts }),
  };
}
