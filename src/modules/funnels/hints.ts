import type { AppContext } from '../../context.ts';
import type { FunnelAnswer } from '../../query/funnel/model.ts';
import { parseDimension } from '../../query/selection/dimension.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { neverSentHint, type QueriedName } from '../events/index.ts';
import { forecastedReport } from './forecast.ts';
import { createFunnel, editFunnel } from './funnels.ts';
import type { Funnel, FunnelChange, FunnelStep, NewFunnel } from './model.ts';
import type { Question } from './question.ts';
import type { ReportInput } from './report.ts';
import type { FunnelReport } from './rules/report.model.ts';

const namedByStep = ({ event, where }: FunnelStep, index: number): QueriedName => ({
  step: index + 1,
  event,
  ...where,
});

async function withHint(
  ctx: AppContext<'clock' | 'log' | 'queries'>,
  funnel: Funnel,
): Promise<Funnel> {
  return { ...funnel, ...(await neverSentHint(ctx, funnel.steps.map(namedByStep), 'all')) };
}

export async function createHintedFunnel(
  ctx: AppContext<'clock' | 'log' | 'queries' | 'sql'>,
  input: NewFunnel,
): Promise<Funnel> {
  return withHint(ctx, await createFunnel(ctx, input));
}

export async function editHintedFunnel(
  ctx: AppContext<'clock' | 'log' | 'queries' | 'sql'>,
  input: { funnelId: string; change: FunnelChange },
): Promise<Funnel> {
  return withHint(ctx, await editFunnel(ctx, input));
}

const UNKNOWN = 'unknown';

function namesNotFound(
  { funnel, rules }: Question,
  { total, breakdown }: FunnelAnswer,
  breakdownText: string | undefined,
): QueriedName[] {
  const steps = funnel.steps.map(namedByStep);
  const event = funnel.steps[0]?.event ?? null;
  const isEmpty = total.people[0] === 0;
  const by =
    breakdownText === undefined || breakdownText === 'arm' ? null : parseDimension(breakdownText);
  const isUnknown = breakdown?.every(({ value }) => value === UNKNOWN) ?? false;
  return [
    ...steps.filter((_, index) => total.people[index] === 0),
    ...(isEmpty && rules.filters.property ? [{ event, ...rules.filters.property }] : []),
    ...(isUnknown && by?.kind === 'prop' ? [{ event, prop: by.prop }] : []),
  ];
}

export async function hintedFunnelReport(
  ctx: AppContext<'clock' | 'latestExperiment' | 'log' | 'queries' | 'sql'>,
  input: ReportInput,
): Promise<FunnelReport> {
  const { report, question, answer } = await forecastedReport(ctx, input);
  const { environment = DEFAULT_SCOPE } = question.rules;
  const notFound = namesNotFound(question, answer, input.query.breakdown);
  return { ...report, ...(await neverSentHint(ctx, notFound, environment)) };
}
