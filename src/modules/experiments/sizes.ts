import type { AppContext } from '../../context.ts';
import { selectedBy } from '../../query/funnel/steps.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { DAY_MS, HOUR_MS } from '../../shared/time.ts';
import { firstEventMs } from '../events/index.ts';
import { type Funnel, findDefaultFunnel, windowHours } from '../funnels/index.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import {
  DEFAULT_LOOKED_AT_DAYS,
  type ExperimentSizes,
  MAX_LOOKED_AT_DAYS,
  planSizes,
  type Today,
} from './comparison/sizes.ts';
import { readExperiment } from './experiments.ts';
import { toConversionSteps } from './report.ts';

/** Takes the first with fifty people: recent traffic, else any rate. */
const LOOKED_AT_DAYS = [DEFAULT_LOOKED_AT_DAYS, MAX_LOOKED_AT_DAYS];

async function recentDays(
  ctx: AppContext<'queries'>,
  first: Funnel['steps'][number] | undefined,
  { endMs, days }: { endMs: number; days: number },
): Promise<number> {
  const fromMs = endMs - days * DAY_MS;
  const firstMs = await firstEventMs(ctx, {
    selection: first ? selectedBy(first) : {},
    environment: DEFAULT_SCOPE,
    fromMs,
    toMs: endMs,
  });
  return firstMs === null || firstMs < fromMs + DAY_MS
    ? days
    : Math.max(1, (endMs - firstMs) / DAY_MS);
}

export async function experimentSizes(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  { experimentId, days: chosen }: { experimentId: string; days?: number },
): Promise<ExperimentSizes> {
  const { deps, scope } = ctx;
  const { arms, measurement } = await readExperiment(ctx, { experimentId });
  const [funnel, hours] = await Promise.all([
    measurement.funnel ?? findDefaultFunnel(deps.sql, scope),
    windowHours(deps.sql, scope),
  ]);
  const endMs = deps.clock().getTime() - hours * HOUR_MS;
  const lookedAt = chosen === undefined ? LOOKED_AT_DAYS : [chosen];
  let today: Today = { lookedAtDays: chosen ?? DEFAULT_LOOKED_AT_DAYS, people: 0, converted: 0 };
  let lately: number | null = null;
  for (const days of funnel ? lookedAt : []) {
    const { total } = await deps.queries.ask(
      'funnel',
      {
        ...scope,
        steps: toConversionSteps(funnel),
        fromUs: (endMs - days * DAY_MS) * 1_000,
        startBeforeUs: endMs * 1_000,
        windowUs: hours * HOUR_MS * 1_000,
        filters: {},
        breakdown: null,
        trendFromUs: null,
      },
      { signal: ctx.signal },
    );
    const [people = 0] = total.people;
    today = { lookedAtDays: days, people, converted: total.people.at(-1) ?? 0 };
    lately ??= people;
    if (people >= MINIMUM_PEOPLE) break;
  }
  if (funnel && lately) {
    const window = { endMs, days: chosen ?? DEFAULT_LOOKED_AT_DAYS };
    const days = await recentDays(ctx, funnel.steps[0], window);
    today = { ...today, recent: { people: lately, days } };
  }
  const deciding = measurement.metrics.filter(({ role }) => role === 'deciding').length;
  const plan = {
    weights: arms.map(({ weight }) => weight),
    decidingMetrics: 1 + deciding,
    windowHours: measurement.windowHours,
  };
  return { experimentId, funnelId: funnel?.id ?? null, ...planSizes(today, plan) };
}
