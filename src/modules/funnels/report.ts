import type { AppContext } from '../../context.ts';
import type { FunnelAnswer, FunnelBreakdownBy } from '../../query/funnel/model.ts';
import type { FunnelStep } from './model.ts';
import { prepareQuestion, type Question } from './question.ts';
import type { FunnelReport } from './report.model.ts';
import type { ReportQuery } from './report-query.ts';
import { groupFigures } from './rules/figures.ts';
import { rate, wilson } from './rules/statistics.ts';
import { judge, MINIMUM_PEOPLE } from './rules/verdict.ts';
import { intervalStarts } from './window.ts';

const PROP = 'prop:';

function breakdownBy(text: string | undefined): FunnelBreakdownBy | null {
  if (text === undefined) return null;
  if (text.startsWith(PROP)) return { kind: 'prop', prop: text.slice(PROP.length) };
  const kinds = ['platform', 'appVersion', 'country'] as const;
  const kind = kinds.find((one) => one === text);
  if (!kind) throw new Error(`No breakdown by "${text}".`);
  return { kind };
}

function breakdownPart(
  by: string | undefined,
  steps: readonly FunnelStep[],
  { breakdown }: FunnelAnswer,
): FunnelReport['breakdown'] {
  if (by === undefined || breakdown === null) return null;
  return {
    by,
    values: breakdown.map(({ value, tally }) => ({
      value: value ?? 'other',
      ...groupFigures(steps, tally),
    })),
  };
}

function trendPoint(fromUs: number, people: number, finished: number) {
  const verdict = judge(people);
  const isReady = verdict === 'ready';
  const interval = isReady ? wilson(finished, people) : null;
  return {
    from: new Date(fromUs / 1_000).toISOString(),
    people,
    verdict,
    rate: isReady ? rate(finished, people) : null,
    rateLow: interval?.low ?? null,
    rateHigh: interval?.high ?? null,
  };
}

function frame({ funnel, window, conversionWindowHours, computedAt, rules }: Question) {
  const { platform = null, appVersion = null, country = null } = rules.filters;
  return {
    funnelId: funnel.id,
    appId: funnel.appId,
    name: funnel.name,
    window: {
      from: new Date(window.fromMs).toISOString(),
      to: new Date(window.toMs).toISOString(),
      days: window.days,
    },
    conversionWindowHours,
    timezone: window.timezone,
    filters: { platform, appVersion, country },
    minimumPeople: MINIMUM_PEOPLE,
    computedAt: computedAt.toISOString(),
  } as const;
}

/** How many people came how far, within which time; nothing is drawn from too few. */
export async function funnelReport(
  ctx: AppContext,
  { funnelId, query }: { funnelId: string; query: ReportQuery },
): Promise<FunnelReport> {
  const question = await prepareQuestion(ctx, funnelId, query);
  const { funnel, window, rules } = question;
  const answer = await ctx.deps.queries.funnel({
    ...rules,
    breakdown: breakdownBy(query.breakdown),
    trendFromUs: query.interval
      ? intervalStarts(window, query.interval).map((ms) => ms * 1_000)
      : null,
  });
  return {
    ...frame(question),
    ...groupFigures(funnel.steps, answer.total),
    maturePeople: answer.maturePeople,
    dataThrough: new Date(answer.dataThroughMs).toISOString(),
    breakdown: breakdownPart(query.breakdown, funnel.steps, answer),
    ...(answer.trend && {
      trend: answer.trend.map(({ fromUs, people, finished }) =>
        trendPoint(fromUs, people, finished),
      ),
    }),
  };
}
