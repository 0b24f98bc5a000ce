import type { AppContext } from '../../context.ts';
import type { FunnelAnswer, FunnelQuestion, FunnelRules } from '../../query/funnel/model.ts';
import { at, must } from '../../shared/assert.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { notFound } from '../../shared/errors.ts';
import { NO_RATE, rateWithInterval } from '../../shared/statistics/rates.ts';
import { judge } from '../../shared/statistics/verdict.ts';
import { HOUR_MS, microsToIso } from '../../shared/time.ts';
import { resolveTimezone } from '../app-settings/index.ts';
import { toFilters } from '../events/index.ts';
import type { Funnel } from './model.ts';
import { findFunnel, windowHours } from './queries.ts';
import type { FunnelParameters, Interval } from './report-query.ts';
import { type ReportWindow, resolveWindow, trendIntervals } from './window.ts';

export type PreparedFunnel = {
  window: ReportWindow;
  conversionWindowHours: number;
  computedAt: Date;
  rules: FunnelRules;
};

export type Question = PreparedFunnel & { funnel: Funnel };

const toUs = (ms: number): number => ms * 1_000;

/** `matching`: what the steps are, and the order they come in. */
export async function prepareFunnel(
  ctx: AppContext<'clock' | 'sql'>,
  selection: Omit<FunnelParameters, keyof ReturnType<typeof toFilters>>,
  matching: Omit<FunnelRules, 'appId' | 'fromUs' | 'orgId' | 'startBeforeUs' | 'windowUs'>,
): Promise<PreparedFunnel> {
  const scope = { orgId: ctx.orgId, appId: ctx.app.id };
  const computedAt = ctx.deps.clock();
  const timezone = await resolveTimezone(ctx, selection.timezone);
  const window = resolveWindow(selection, timezone, computedAt);
  const conversionWindowHours = selection.windowHours ?? (await windowHours(ctx.deps.sql, scope));
  const rules: FunnelRules = {
    ...scope,
    ...matching,
    fromUs: toUs(window.fromMs),
    startBeforeUs: toUs(window.startBeforeMs),
    windowUs: toUs(conversionWindowHours * HOUR_MS),
    environment: selection.environment ?? DEFAULT_SCOPE,
    ...(selection.people === 'new' && { newPeopleOnly: true }),
  };
  return { window, conversionWindowHours, computedAt, rules };
}

export async function prepareQuestion(
  ctx: AppContext<'clock' | 'sql'>,
  funnelId: string,
  selection: FunnelParameters,
): Promise<Question> {
  const scope = { orgId: ctx.orgId, appId: ctx.app.id };
  const [prepared, funnel] = await Promise.all([
    prepareFunnel(ctx, selection, { steps: [], filters: toFilters(selection) }),
    findFunnel(ctx.deps.sql, scope, funnelId),
  ]);
  if (!funnel) throw notFound();
  const steps = funnel.steps.map(({ event, where }) => ({ event, ...(where && { where }) }));
  return { ...prepared, funnel, rules: { ...prepared.rules, steps } };
}

export const shownWindow = ({ fromMs, toMs, days }: ReportWindow) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
  days,
});

type TrendCounts = NonNullable<FunnelAnswer['trend']>[number];

function trendPoint({ fromUs, people, finished }: TrendCounts, isPartial: boolean) {
  const verdict = judge(people);
  return {
    from: microsToIso(fromUs),
    people,
    verdict,
    ...(verdict === 'ready' ? rateWithInterval(finished, people) : NO_RATE),
    ...(isPartial && { partial: true }),
  };
}

type Asked = Pick<FunnelQuestion, 'breakdown' | 'isDistributed'> & {
  interval: Interval | undefined;
};

export async function countFunnel(
  { deps, signal }: AppContext<'queries'>,
  { rules, window, computedAt }: PreparedFunnel,
  { interval, ...asked }: Asked,
) {
  const intervals = interval && trendIntervals(window, interval, computedAt.getTime());
  const trendFromUs = intervals?.map(({ startMs }) => toUs(startMs)) ?? null;
  const question = { ...rules, ...asked, trendFromUs };
  const answer = await deps.queries.ask('funnel', question, { signal });
  return {
    answer,
    trend: intervals && {
      trend: must(answer.trend, 'the question asks for it').map((point, index) =>
        trendPoint(point, at(intervals, index).isPartial),
      ),
    },
  };
}
