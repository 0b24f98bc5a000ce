import type { AppContext } from '../../../context.ts';
import type { FunnelAnswer } from '../../../query/funnel/model.ts';
import { selectedBy } from '../../../query/funnel/steps.ts';
import { parseDimension } from '../../../query/selection/dimension.ts';
import { type EventFilters, filterConditions } from '../../../query/selection/filters.ts';
import { eachOf, FILTER_FIELDS } from '../../../shared/event-fields.ts';
import { notFound } from '../../../shared/errors.ts';
import type { Forecast } from '../../../shared/statistics/forecast.ts';
import { forecastFor, neverSentHint, type QueriedName } from '../../events/index.ts';
import { findFunnel, type Funnel, namedByStep } from '../../funnels/index.ts';
import { toSelection } from '../resolve/parameters.model.ts';
import { resolve } from '../resolve/resolve.ts';
import type { Resolved } from '../resolve/resolved.ts';
import { countFunnel } from './answer.ts';
import type { FunnelReport } from './answer.model.ts';
import { countBefore, toComparison } from './compare.ts';
import { type PlannedFunnel, planFunnel } from './plan.ts';
import { identified } from './present.ts';
import type { FunnelParameters, FunnelQuestion, ReportQuery } from './question.ts';

type Asking = AppContext<'clock' | 'latestExperiment' | 'queries' | 'sql'>;
type ReportInput = { funnelId: string; query: ReportQuery };

export type StoredFunnel = {
  funnel: Funnel;
  filters: EventFilters;
  resolved: Resolved<FunnelQuestion>;
  planned: PlannedFunnel;
};

export async function planStoredFunnel(
  ctx: Asking,
  funnelId: string,
  query: FunnelParameters & Pick<ReportQuery, 'breakdown' | 'interval'>,
): Promise<StoredFunnel> {
  const funnel = await findFunnel(ctx.deps.sql, ctx.scope, funnelId);
  if (!funnel) throw notFound();
  const { selection, filters } = toSelection(query);
  const steps = funnel.steps.map((step) => selectedBy(step));
  const question: FunnelQuestion = { ...query, kind: 'funnel', steps, ...selection };
  const resolved = await resolve(ctx, question);
  return { funnel, filters, resolved, planned: await planFunnel(ctx, resolved) };
}

/** Null at fifty entrants. */
export function forecastEntrants(
  ctx: AppContext<'queries'>,
  { funnel, filters, resolved, planned }: StoredFunnel,
  people: number,
): Promise<Forecast | null> {
  const [first] = funnel.steps;
  const property = filters.property ?? first?.where;
  const where = filterConditions({ ...filters, ...(property && { property }) });
  const { fromMs, toMs } = planned.window;
  return forecastFor(ctx, {
    selection: { ...(first && { events: [first.event] }), ...(where && { where }) },
    ...{ environment: resolved.environment, people, fromMs, toMs, nowMs: resolved.now.getTime() },
  });
}

type Counted = StoredFunnel & { report: FunnelReport; counted: FunnelAnswer };

async function countReport(ctx: Asking, { funnelId, query }: ReportInput): Promise<Counted> {
  const { compare, ...asked } = query;
  const stored = await planStoredFunnel(ctx, funnelId, asked);
  const { funnel, filters, resolved, planned } = stored;
  // At once: asked afterwards it would wait for what others asked meanwhile.
  const [{ counted, answer }, before] = await Promise.all([
    countFunnel(ctx, resolved, planned),
    compare && countBefore(ctx, planned, resolved.now),
  ]);
  const { property } = filters;
  const { people, verdict, steps, overall, trend } = answer;
  const report: FunnelReport = {
    ...{ funnelId, appId: funnel.appId, name: funnel.name, window: answer.window },
    conversionWindowHours: answer.conversionWindowHours,
    timezone: answer.timezone,
    filters: {
      ...eachOf(FILTER_FIELDS, (field) => filters[field] ?? null),
      ...(property && { property }),
      ...(query.people === 'new' && { people: 'new' as const }),
    },
    environment: answer.environment,
    minimumPeople: answer.minimumPeople,
    computedAt: answer.computedAt,
    ...identified(funnel.steps, { people, verdict, steps, overall }),
    maturePeople: answer.maturePeople,
    dataThrough: answer.dataThrough,
    ...(before && { comparison: toComparison(counted.total.people, before) }),
    breakdown: answer.breakdown && {
      by: query.breakdown ?? '',
      values: answer.breakdown.map(({ value, ...figures }) => ({
        ...(value === null ? { value: 'other', rest: true as const } : { value }),
        ...identified(funnel.steps, figures),
      })),
    },
    ...(trend && { trend }),
  };
  return { ...stored, report, counted };
}

const withForecast = (report: FunnelReport, forecast: Forecast | null): FunnelReport => ({
  ...report,
  ...(forecast && { forecast }),
});

export const funnelReport = async (ctx: Asking, input: ReportInput): Promise<FunnelReport> =>
  (await countReport(ctx, input)).report;

export async function forecastedReport(ctx: Asking, input: ReportInput): Promise<FunnelReport> {
  const { report, ...stored } = await countReport(ctx, input);
  return withForecast(report, await forecastEntrants(ctx, stored, report.people));
}

const UNKNOWN = 'unknown';

function namesNotFound(
  { funnel, filters, counted: { total, breakdown } }: Counted,
  by: string | undefined,
): QueriedName[] {
  const event = funnel.steps[0]?.event ?? null;
  const dimension = by === undefined || by === 'arm' ? null : parseDimension(by);
  const isUnknown = breakdown?.every(({ value }) => value === UNKNOWN) ?? false;
  return [
    ...funnel.steps.map(namedByStep).filter((_, index) => total.people[index] === 0),
    ...(total.people[0] === 0 && filters.property ? [{ event, ...filters.property }] : []),
    ...(isUnknown && dimension?.kind === 'prop' ? [{ event, prop: dimension.prop }] : []),
  ];
}

export async function readFunnelReport(
  ctx: Asking & AppContext<'log'>,
  input: ReportInput,
): Promise<FunnelReport> {
  const counted = await countReport(ctx, input);
  const { report, resolved } = counted;
  const forecast = await forecastEntrants(ctx, counted, report.people);
  const notFound = namesNotFound(counted, input.query.breakdown);
  const hint = await neverSentHint(ctx, notFound, resolved.environment);
  return { ...withForecast(report, forecast), ...hint };
}
