import type { AppContext } from '../../context.ts';
import type { FunnelAnswer, FunnelBreakdownBy } from '../../query/funnel/model.ts';
import { parseDimension } from '../../query/selection/dimension.ts';
import { must } from '../../shared/assert.ts';
import { eachOf, FILTER_FIELDS } from '../../shared/event-fields.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { invalidInput } from '../../shared/errors.ts';
import { countBefore, toComparison } from './compare.ts';
import type { FunnelStep } from './model.ts';
import { countFunnel, prepareQuestion, type Question, shownWindow } from './question.ts';
import type { ReportQuery } from './report-query.ts';
import { groupFigures } from './rules/figures.ts';
import type { FunnelReport } from './rules/report.model.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';

type Breakdown = { text: string; by: FunnelBreakdownBy; nameOf: (value: string) => string };

export async function armBreakdown({
  deps,
  orgId,
  app,
}: AppContext<'latestExperiment'>): Promise<Breakdown> {
  const experiment = await deps.latestExperiment({ orgId, appId: app.id });
  if (!experiment) throw invalidInput('breakdown', 'arm needs an experiment that was started');
  const names = new Map(experiment.arms.map((arm) => [arm.id, arm.name]));
  const exposedFromUs = new Date(experiment.startedAt).getTime() * 1_000;
  return {
    text: 'arm',
    by: { kind: 'arm', experimentId: experiment.id, exposedFromUs, exposedOnly: false },
    nameOf: (value) => names.get(value) ?? value,
  };
}

async function toBreakdown(
  ctx: AppContext<'latestExperiment'>,
  text: string | undefined,
): Promise<Breakdown | null> {
  if (text === undefined) return null;
  if (text === 'arm') return armBreakdown(ctx);
  return { text, by: parseDimension(text), nameOf: (value) => value };
}

function breakdownValues(
  answer: NonNullable<FunnelAnswer['breakdown']>,
  nameOf: Breakdown['nameOf'],
  steps: readonly FunnelStep[],
) {
  return answer.map(({ value, tally }) => ({
    value: value === null ? 'other' : nameOf(value),
    ...(value === null && { rest: true as const }),
    ...groupFigures(steps, tally),
  }));
}

function header({ funnel, window, conversionWindowHours, computedAt, rules }: Question) {
  const { property } = rules.filters;
  return {
    funnelId: funnel.id,
    appId: funnel.appId,
    name: funnel.name,
    window: shownWindow(window),
    conversionWindowHours,
    timezone: window.timezone,
    filters: {
      ...eachOf(FILTER_FIELDS, (field) => rules.filters[field] ?? null),
      ...(property && { property }),
      ...(rules.newPeopleOnly && { people: 'new' as const }),
    },
    environment: rules.environment ?? DEFAULT_SCOPE,
    minimumPeople: MINIMUM_PEOPLE,
    computedAt: computedAt.toISOString(),
  } as const;
}

export type ReportInput = { funnelId: string; query: ReportQuery };

export type CountedReport = { report: FunnelReport; question: Question; answer: FunnelAnswer };

export async function funnelReport(
  ctx: AppContext<'clock' | 'latestExperiment' | 'queries' | 'sql'>,
  input: ReportInput,
): Promise<FunnelReport> {
  return (await countReport(ctx, input)).report;
}

export async function countReport(
  ctx: AppContext<'clock' | 'latestExperiment' | 'queries' | 'sql'>,
  { funnelId, query }: ReportInput,
): Promise<CountedReport> {
  const question = await prepareQuestion(ctx, funnelId, query);
  const { funnel } = question;
  const { interval, compare } = query;
  const breakdown = await toBreakdown(ctx, query.breakdown);
  // At once: asked afterwards it would wait for what others asked meanwhile.
  const [{ answer, trend }, before] = await Promise.all([
    countFunnel(ctx, question, { breakdown: breakdown?.by ?? null, interval }),
    compare && countBefore(ctx, question),
  ]);
  const report: FunnelReport = {
    ...header(question),
    ...groupFigures(funnel.steps, answer.total),
    maturePeople: answer.maturePeople,
    dataThrough: new Date(answer.dataThroughMs).toISOString(),
    ...(before && { comparison: toComparison(answer.total.people, before) }),
    breakdown: breakdown && {
      by: breakdown.text,
      values: breakdownValues(
        must(answer.breakdown, 'the question asks for it'),
        breakdown.nameOf,
        funnel.steps,
      ),
    },
    ...trend,
  };
  return { report, question, answer };
}

declare module '../../context.ts' {
  interface Deps {
    latestExperiment: (scope: { orgId: string; appId: string }) => Promise<{
      id: string;
      startedAt: string;
      arms: readonly { id: string; name: string }[];
    } | null>;
  }
}
