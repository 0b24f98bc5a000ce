import type { AppContext } from '../../context.ts';
import type { EventFilters } from '../../query/selection/filters.ts';
import { DEFAULT_SCOPE, type EnvironmentScope } from '../../shared/environment.ts';
import type { Question } from './question.ts';
import { type CountedReport, countReport, type ReportInput } from './report.ts';
import { type Forecast, forecast, type Pace } from '../../shared/statistics/forecast.ts';
import { judge } from '../../shared/statistics/verdict.ts';

type Beginning = Omit<Pace, 'firstMs'> & {
  /** Null for all client events. */
  names: string[] | null;
  filters: EventFilters;
  environment: EnvironmentScope;
};

export async function firstBeginning(
  { deps, orgId, app }: AppContext<'queries'>,
  { names, filters, environment, fromMs, toMs }: Omit<Beginning, 'nowMs' | 'people'>,
): Promise<number | null> {
  const { firstAtUs } = await deps.queries.ask('first-event', {
    orgId,
    appId: app.id,
    environment,
    fromUs: fromMs * 1_000,
    beforeUs: toMs * 1_000,
    names,
    filters,
  });
  return firstAtUs === null ? null : firstAtUs / 1_000;
}

export async function forecastFor(
  ctx: AppContext<'queries'>,
  beginning: Beginning,
): Promise<Forecast | null> {
  const { people, fromMs, toMs, nowMs } = beginning;
  if (judge(people) === 'ready') return null;
  const firstMs = await firstBeginning(ctx, beginning);
  return forecast({ people, firstMs, fromMs, toMs, nowMs });
}

/** Null at fifty entrants. */
export function forecastEntrants(
  ctx: AppContext<'queries'>,
  { funnel, rules, window, computedAt }: Question,
  people: number,
): Promise<Forecast | null> {
  const first = funnel.steps[0];
  const property = rules.filters.property ?? first?.where;
  return forecastFor(ctx, {
    people,
    names: first ? [first.event] : null,
    filters: { ...rules.filters, ...(property && { property }) },
    environment: rules.environment ?? DEFAULT_SCOPE,
    fromMs: window.fromMs,
    toMs: window.toMs,
    nowMs: computedAt.getTime(),
  });
}

export async function forecastedReport(
  ctx: AppContext<'clock' | 'latestExperiment' | 'queries' | 'sql'>,
  input: ReportInput,
): Promise<CountedReport> {
  const counted = await countReport(ctx, input);
  const { report, question } = counted;
  const found = await forecastEntrants(ctx, question, report.people);
  return found ? { ...counted, report: { ...report, forecast: found } } : counted;
}
