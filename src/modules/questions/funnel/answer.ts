import type { AppContext } from '../../../context.ts';
import type { FunnelAnswer } from '../../../query/funnel/model.ts';
import { provenanceOf } from '../../../query/selection/provenance.ts';
import { at, must } from '../../../shared/assert.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { NO_RATE, rateWithInterval } from '../../../shared/statistics/rates.ts';
import { judge } from '../../../shared/statistics/verdict.ts';
import { microsToIso } from '../../../shared/time.ts';
import { inGivenOrder } from '../resolve/breakdown.ts';
import { ask, type Resolved } from '../resolve/resolved.ts';
import type { FunnelQuestionAnswer } from './answer.model.ts';
import { type PlannedFunnel, planFunnel } from './plan.ts';
import { tallyFigures } from './present.ts';
import type { FunnelQuestion } from './question.ts';
import { trendIntervals } from './window.ts';

function toGroups(
  { breakdown, brokenDown }: FunnelAnswer,
  { by, nameOf }: NonNullable<PlannedFunnel['by']>,
): FunnelQuestionAnswer['breakdown'] {
  const groups = must(breakdown, 'the question asks for it');
  const bounds = brokenDown?.bounds;
  const ordered = by.kind === 'prop' && bounds ? inGivenOrder(groups, { ...by, bounds }) : groups;
  return ordered.map(({ value, tally }) => ({
    value: value === null ? null : nameOf(value),
    ...tallyFigures(tally),
  }));
}

function shownTimes({ distribution = [], total }: FunnelAnswer) {
  const finished = at(total.people, total.people.length - 1);
  return judge(finished) === 'ready' ? distribution : null;
}

function trendPoint(
  { fromUs, people, finished }: NonNullable<FunnelAnswer['trend']>[number],
  isPartial: boolean,
) {
  const verdict = judge(people);
  return {
    ...{ from: microsToIso(fromUs), people, verdict },
    ...(verdict === 'ready' ? rateWithInterval(finished, people) : NO_RATE),
    ...(isPartial && { partial: true }),
  };
}

/** As counted, and as shown. */
export async function countFunnel(
  ctx: AppContext<'queries'>,
  { question, environment, now }: Resolved<FunnelQuestion>,
  { rules, window, conversionWindowHours, by }: PlannedFunnel,
): Promise<{ counted: FunnelAnswer; answer: FunnelQuestionAnswer }> {
  const { kind, interval, distribution } = question;
  const intervals = interval && trendIntervals(window, interval, now.getTime());
  const counted = await ask(ctx, 'funnel', {
    ...{ ...rules, breakdown: by?.by ?? null },
    ...(distribution && { isDistributed: true }),
    trendFromUs: intervals?.map(({ startMs }) => startMs * 1_000) ?? null,
  });
  const { fromMs, toMs, days, timezone } = window;
  const answer = {
    kind,
    window: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), days },
    ...{ conversionWindowHours, timezone, environment, ...tallyFigures(counted.total) },
    maturePeople: counted.maturePeople,
    minimumPeople: MINIMUM_PEOPLE,
    breakdown: by && toGroups(counted, by),
    ...(counted.brokenDown?.bounds && { bounds: counted.brokenDown.bounds }),
    ...(intervals && {
      trend: must(counted.trend, 'the question asks for it').map((point, index) =>
        trendPoint(point, at(intervals, index).isPartial),
      ),
    }),
    ...(distribution && { distribution: shownTimes(counted) }),
    computedAt: now.toISOString(),
    ...provenanceOf(counted),
  } as const;
  return { counted, answer };
}

export const answerFunnel = async (
  ctx: AppContext<'queries' | 'sql'>,
  resolved: Resolved<FunnelQuestion>,
): Promise<FunnelQuestionAnswer> =>
  (await countFunnel(ctx, resolved, await planFunnel(ctx, resolved))).answer;
