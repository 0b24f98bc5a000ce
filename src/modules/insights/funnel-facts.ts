import type { AppContext } from '../../context.ts';
import { selectedBy } from '../../query/funnel/steps.ts';
import { at } from '../../shared/assert.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { addDays, PACIFIC, pacificInstant } from '../../shared/pacific.ts';
import { judge } from '../../shared/statistics/verdict.ts';
import { HOUR_MS, toIso } from '../../shared/time.ts';
import { forecastFor } from '../events/index.ts';
import { type Funnel, windowHours } from '../funnels/index.ts';
import { type FunnelReport, forecastedReport, funnelReport } from '../questions/index.ts';
import type { Facts } from './facts.ts';
import type { JudgedFunnel } from './model.ts';

export function judgedFunnel(facts: FunnelFacts): JudgedFunnel | null {
  const { funnel, previousFunnel, funnelByCountry, paywallFirst, judgedWindow } = facts;
  if (!funnel || !previousFunnel || !judgedWindow) return null;
  const isShown = paywallFirst !== null && judge(paywallFirst.viewers) === 'ready';
  const { people, verdict, steps, overall } = funnel;
  return {
    window: judgedWindow,
    ...{ people, verdict, steps, overall },
    previous: {
      people: previousFunnel.people,
      verdict: previousFunnel.verdict,
      steps: previousFunnel.steps,
      overall: previousFunnel.overall,
    },
    byCountry: funnelByCountry.map((group) => ({
      country: group.country,
      people: group.people,
      ...{ rate: group.overall.rate, rateHigh: group.overall.rateHigh },
    })),
    paywallFirst: isShown ? paywallFirst : null,
  };
}

type Window = { from: string; to: string; days: number };
export type FunnelFacts = Pick<
  Facts,
  'forecast' | 'funnel' | 'previousFunnel' | 'funnelByCountry' | 'paywallFirst'
> & { judgedWindow: JudgedFunnel['window'] | null };

const PAYWALL_THEN_ONBOARDING = [{ event: 'paywall_viewed' }, { event: 'onboarding_completed' }];
/** Without a funnel, or before any conversion window is over. */
export const NO_FUNNEL_FACTS: FunnelFacts = {
  forecast: null,
  funnel: null,
  previousFunnel: null,
  funnelByCountry: [],
  paywallFirst: null,
  judgedWindow: null,
};

export async function shownReport(
  ctx: AppContext<'clock' | 'latestExperiment' | 'queries' | 'sql'>,
  funnel: Funnel,
  window: Window,
): Promise<FunnelReport> {
  const { from, to } = window;
  const query = { from, to, timezone: PACIFIC };
  return forecastedReport(ctx, { funnelId: funnel.id, query });
}

function matureReport(
  ctx: AppContext<'clock' | 'latestExperiment' | 'queries' | 'sql'>,
  funnel: Funnel,
  { from, to, ...query }: { from: Date; to: Date; breakdown?: 'country' },
): Promise<FunnelReport> {
  return funnelReport(ctx, {
    funnelId: funnel.id,
    query: { ...query, from: toIso(from), to: toIso(to) },
  });
}

async function paywallFirst(
  { deps, orgId, app, signal }: AppContext<'queries'>,
  bounds: { from: Date; to: Date },
  hours: number,
): Promise<Facts['paywallFirst']> {
  const { total } = await deps.queries.ask(
    'funnel',
    {
      orgId,
      appId: app.id,
      steps: PAYWALL_THEN_ONBOARDING,
      fromUs: bounds.from.getTime() * 1_000,
      startBeforeUs: bounds.to.getTime() * 1_000,
      windowUs: hours * HOUR_MS * 1_000,
      filters: {},
      breakdown: null,
      trendFromUs: null,
    },
    { signal },
  );
  return { viewers: at(total.people, 0), finishedAfter: at(total.people, 1) };
}

export async function readFunnelFacts(
  ctx: AppContext<'clock' | 'latestExperiment' | 'queries' | 'sql'>,
  funnel: Funnel,
  window: Window,
): Promise<FunnelFacts> {
  const { deps, scope } = ctx;
  const hours = await windowHours(deps.sql, scope);
  const end = pacificInstant(addDays(window.to, 1), 0).getTime();
  const start = pacificInstant(window.from, 0).getTime();
  const matureEnd = Math.min(end, deps.clock().getTime() - hours * HOUR_MS);
  const bounds = { from: new Date(start), to: new Date(matureEnd) };
  if (bounds.from >= bounds.to) return NO_FUNNEL_FACTS;
  const length = matureEnd - start;
  const [funnelNow, previousFunnel, paywall] = await Promise.all([
    matureReport(ctx, funnel, { ...bounds, breakdown: 'country' }),
    matureReport(ctx, funnel, { from: new Date(start - length), to: bounds.from }),
    paywallFirst(ctx, bounds, hours),
  ]);
  const first = funnel.steps[0];
  const forecast = await forecastFor(ctx, {
    people: funnelNow.people,
    selection: first ? selectedBy(first) : {},
    environment: DEFAULT_SCOPE,
    fromMs: start,
    toMs: matureEnd,
    // Finished windows come at the pace of entries.
    nowMs: matureEnd,
  });
  return {
    forecast: forecast?.text ?? null,
    funnel: funnelNow,
    previousFunnel,
    funnelByCountry:
      funnelNow.breakdown?.values.map((group) => ({ ...group, country: group.value })) ?? [],
    paywallFirst: paywall,
    judgedWindow: {
      from: toIso(bounds.from),
      to: toIso(bounds.to),
      previousFrom: toIso(new Date(start - length)),
      previousTo: toIso(bounds.from),
    },
  };
}
