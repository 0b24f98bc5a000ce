import type { AppContext } from '../../context.ts';
import { findDefaultFunnel } from '../funnels/index.ts';
import { readEventFacts } from './event-facts.ts';
import { readFunnelFacts, shownReport } from './funnel-facts.ts';
import { DEFAULT_INSIGHT_DAYS, type Insights, type InsightsQuery } from './model.ts';
import { recommend } from './rules.ts';
import { pacificWindow, readStoreSide } from './store-facts.ts';

const NO_FUNNEL = { funnel: null, previousFunnel: null, funnelByCountry: [], paywallFirst: null };

/** What the store and the default funnel say together, and what follows from it. */
export async function getInsights(ctx: AppContext, query: InsightsQuery): Promise<Insights> {
  const { deps, orgId, app } = ctx;
  const now = deps.clock();
  const window = pacificWindow(now, query.days ?? DEFAULT_INSIGHT_DAYS);
  const funnel = await findDefaultFunnel(deps.sql, { orgId, appId: app.id });
  const [events, store, shown, funnelFacts] = await Promise.all([
    readEventFacts(ctx, window.days),
    readStoreSide(ctx, window.days),
    funnel && shownReport(ctx, funnel, window),
    funnel ? readFunnelFacts(ctx, funnel, window) : NO_FUNNEL,
  ]);
  return {
    appId: app.id,
    window,
    store: store?.figures ?? null,
    funnel: shown,
    recommendations: recommend({ now, events, store: store?.facts ?? null, ...funnelFacts }),
  };
}
