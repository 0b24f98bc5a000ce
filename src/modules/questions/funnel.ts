import type { AppContext } from '../../context.ts';
import {
  type FunnelAnswer,
  type FunnelBreakdownBy,
  MAX_FUNNEL_STEPS,
} from '../../query/funnel/model.ts';
import { checkConditions } from '../../query/selection/conditions.ts';
import { provenanceOf } from '../../query/selection/provenance.ts';
import { at, must } from '../../shared/assert.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { invalidInput } from '../../shared/errors.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { resolveTimezone } from '../app-settings/index.ts';
import {
  armBreakdown,
  resolveWindow,
  tallyFigures,
  trendIntervals,
  trendPoint,
  windowHours,
} from '../funnels/index.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import { judge } from '../../shared/statistics/verdict.ts';
import type { FunnelQuestionAnswer } from './answer.model.ts';
import { ARM, inGivenOrder, resolveBreakdowns } from './breakdown.ts';
import type { FunnelQuestion } from './model.ts';
import { checkSelection, checkSelections } from './selections.ts';

type Breakdown = { by: FunnelBreakdownBy; nameOf: (value: string) => string };

async function resolveBreakdown(
  ctx: AppContext<'clock' | 'latestExperiment'>,
  asked: FunnelQuestion['breakdown'],
): Promise<Breakdown | null> {
  if (asked === ARM) return armBreakdown(ctx);
  const [by = null] = await resolveBreakdowns(ctx, asked);
  return by;
}

function breakdownValues(
  { breakdown, brokenDown }: FunnelAnswer,
  { by, nameOf }: Breakdown,
): FunnelQuestionAnswer['breakdown'] {
  const groups = must(breakdown, 'the question asks for it');
  const bounds = brokenDown?.bounds;
  const ordered = by.kind === 'prop' && bounds ? inGivenOrder(groups, { ...by, bounds }) : groups;
  return ordered.map(({ value, tally }) => ({
    value: value === null ? null : nameOf(value),
    ...tallyFigures(tally),
  }));
}

const toUs = (ms: number): number => ms * 1_000;

/** Bits of one number tell steps and exclusions apart. */
function toExclusions({ exclusions = [], steps, order }: FunnelQuestion) {
  const most = MAX_FUNNEL_STEPS - steps.length - (order === 'strict' ? 1 : 0);
  if (exclusions.length > Math.max(0, most) || most < 0) {
    throw invalidInput('exclusions', `and steps are at most ${MAX_FUNNEL_STEPS} together`);
  }
  return exclusions.map(({ selection, after, before }, index) => {
    const place = `exclusions[${index}]`;
    checkSelection(selection, `${place}.selection`);
    if (before <= after) throw invalidInput(`${place}.before`, 'must be a step later than after');
    if (before > steps.length) throw invalidInput(`${place}.before`, 'must be one of the steps');
    return { events: selection, from: after - 1, to: before - 1 };
  });
}

function toRules(question: FunnelQuestion) {
  const { order = 'in_order', breakdown } = question;
  const exclusions = toExclusions(question);
  if (breakdown === 'arm' && (exclusions.length > 0 || order !== 'in_order')) {
    throw invalidInput('breakdown', 'by arm has steps in order and no exclusions');
  }
  if (exclusions.length > 0 && order === 'any') {
    throw invalidInput('exclusions', 'need steps in order');
  }
  return {
    ...(exclusions.length > 0 && { exclusions }),
    ...(order === 'strict' && { isStrict: true }),
    ...(order === 'any' && { isAnyOrder: true }),
  };
}

function shownTimes({ distribution = [], total }: FunnelAnswer) {
  const finished = at(total.people, total.people.length - 1);
  return judge(finished) === 'ready' ? distribution : null;
}

type Asking = AppContext<'clock' | 'latestExperiment' | 'queries' | 'sql'>;

export async function preparedFunnel(ctx: Asking, question: FunnelQuestion) {
  const { deps, orgId, app } = ctx;
  const { steps, where, environment = DEFAULT_SCOPE, people } = question;
  checkSelections(steps, 'steps');
  if (where) checkConditions(where);
  const order = toRules(question);
  const now = deps.clock();
  const timezone = await resolveTimezone(ctx, question.timezone);
  const window = resolveWindow(question, timezone, now);
  const scope = { orgId, appId: app.id };
  const conversionWindowHours = question.windowHours ?? (await windowHours(deps.sql, scope));
  const rules = {
    ...scope,
    ...{ steps, environment, filters: {}, fromUs: toUs(window.fromMs) },
    startBeforeUs: toUs(window.startBeforeMs),
    windowUs: toUs(conversionWindowHours * HOUR_MS),
    ...(where && { where }),
    ...order,
    ...(people === 'new' && { newPeopleOnly: true }),
  };
  return { rules, window, timezone, environment, conversionWindowHours, now };
}

export async function answerFunnel(
  ctx: Asking,
  question: FunnelQuestion,
): Promise<FunnelQuestionAnswer> {
  const { kind, interval } = question;
  const prepared = await preparedFunnel(ctx, question);
  const { rules, window, timezone, environment, conversionWindowHours, now } = prepared;
  const breakdown = await resolveBreakdown(ctx, question.breakdown);
  const intervals = interval && trendIntervals(window, interval, now.getTime());
  const answer = await ctx.deps.queries.ask(
    'funnel',
    {
      ...rules,
      ...(question.distribution && { isDistributed: true }),
      breakdown: breakdown?.by ?? null,
      trendFromUs: intervals?.map(({ startMs }) => toUs(startMs)) ?? null,
    },
    { signal: ctx.signal },
  );
  return {
    kind,
    window: {
      from: new Date(window.fromMs).toISOString(),
      to: new Date(window.toMs).toISOString(),
      days: window.days,
    },
    ...{ conversionWindowHours, timezone, environment },
    ...tallyFigures(answer.total),
    maturePeople: answer.maturePeople,
    minimumPeople: MINIMUM_PEOPLE,
    breakdown: breakdown && breakdownValues(answer, breakdown),
    ...(answer.brokenDown?.bounds && { bounds: answer.brokenDown.bounds }),
    ...(intervals && {
      trend: (answer.trend ?? []).map((point, index) =>
        trendPoint(point, at(intervals, index).isPartial),
      ),
    }),
    ...(question.distribution && { distribution: shownTimes(answer) }),
    computedAt: now.toISOString(),
    ...provenanceOf(answer),
  };
}
