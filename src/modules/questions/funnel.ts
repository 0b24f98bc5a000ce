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
import {
  armBreakdown,
  countFunnel,
  type PreparedFunnel,
  prepareFunnel,
  shownWindow,
  tallyFigures,
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

export async function preparedFunnel(
  ctx: Asking,
  question: FunnelQuestion,
): Promise<PreparedFunnel> {
  const { steps, where } = question;
  checkSelections(steps, 'steps');
  if (where) checkConditions(where);
  const order = toRules(question);
  return prepareFunnel(ctx, question, { steps, filters: {}, ...(where && { where }), ...order });
}

export async function answerFunnel(
  ctx: Asking,
  question: FunnelQuestion,
): Promise<FunnelQuestionAnswer> {
  const { kind, interval, distribution } = question;
  const prepared = await preparedFunnel(ctx, question);
  const { window, conversionWindowHours, rules, computedAt } = prepared;
  const breakdown = await resolveBreakdown(ctx, question.breakdown);
  const { answer, trend } = await countFunnel(ctx, prepared, {
    ...(distribution && { isDistributed: true }),
    breakdown: breakdown?.by ?? null,
    interval,
  });
  return {
    kind,
    window: shownWindow(window),
    conversionWindowHours,
    timezone: window.timezone,
    environment: rules.environment ?? DEFAULT_SCOPE,
    ...tallyFigures(answer.total),
    maturePeople: answer.maturePeople,
    minimumPeople: MINIMUM_PEOPLE,
    breakdown: breakdown && breakdownValues(answer, breakdown),
    ...(answer.brokenDown?.bounds && { bounds: answer.brokenDown.bounds }),
    ...trend,
    ...(distribution && { distribution: shownTimes(answer) }),
    computedAt: computedAt.toISOString(),
    ...provenanceOf(answer),
  };
}
