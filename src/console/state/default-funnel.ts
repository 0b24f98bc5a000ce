import { api } from './api.ts';
import { lengthOf } from './days.ts';
import { opensFirst } from './first-open.ts';
import type { Question } from './query.ts';
import { funnelQuery } from './range-query.ts';
import type { Resolved } from './ranges.ts';

export type FunnelReport = Awaited<ReturnType<typeof api.getFunnelReport>>;

/** Shorter ranges have their rates by day. */
const BY_WEEK_FROM_DAYS = 15;

async function readReport(appId: string, range: Resolved, signal: AbortSignal) {
  const funnels = await api.listFunnels({ id: appId }, { signal });
  const funnel = funnels.find(({ isDefault }) => isDefault) ?? funnels[0];
  if (!funnel) return null;
  const interval = lengthOf(range) < BY_WEEK_FROM_DAYS ? ('day' as const) : ('week' as const);
  const query = { ...funnelQuery(range), ...opensFirst(funnel.steps), interval };
  const report = await api.getFunnelReport({ id: appId, funnelId: funnel.id, query }, { signal });
  return { funnel, report, interval };
}

export type DefaultFunnel = Awaited<ReturnType<typeof readReport>>;

export const defaultFunnelQuestion = (appId: string, range: Resolved): Question<DefaultFunnel> => ({
  of: appId,
  key: `default funnel ${appId} ${range.from} ${range.to}`,
  fetch: (signal) => readReport(appId, range, signal),
});
