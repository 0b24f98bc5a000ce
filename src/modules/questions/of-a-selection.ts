import type { AppContext } from '../../context.ts';
import type { Measure } from '../../query/measures/model.ts';
import { checkConditions } from '../../query/selection/conditions.ts';
import {
  countedLifecycle,
  countedPaths,
  measuredSeries,
  prepareLifecycle,
} from '../explore/index.ts';
import type { Answer } from './answer.model.ts';
import { resolveBreakdowns } from './breakdown.ts';
import type { LifecycleQuestion, MeasuresQuestion, PathsQuestion } from './model.ts';
import type { Selection } from './selection.model.ts';

function eventsOf({ events, where }: Selection) {
  if (where) checkConditions(where, 'selection.where');
  return { names: events ?? null, filters: {}, ...(where && { where }) };
}

/** One measure after the other, so that a question takes one place in the queue. */
export async function answerMeasures(
  ctx: AppContext<'clock' | 'latestExperiment' | 'log' | 'queries' | 'sql'>,
  { kind, selection = {}, measure, others: more = [], breakdown, ...window }: MeasuresQuestion,
): Promise<Answer> {
  const [by] = await resolveBreakdowns(ctx, breakdown);
  const events = { ...eventsOf(selection), ...(by && { breakdown: by.by }) };
  const measured = async (one: Measure) => {
    const { series, ...answer } = await measuredSeries(ctx, { ...window, ...events, measure: one });
    const named = series?.map((some) => ({ ...some, key: by?.nameOf(some.key) ?? some.key }));
    return { ...answer, ...(named && { series: named }) };
  };
  const { brokenDown, ...answer } = await measured(measure);
  const others = [];
  for (const other of more) {
    const { totals, points, series, relativeError } = await measured(other);
    others.push({ measure: other, totals, points, relativeError, ...(series && { series }) });
  }
  return {
    ...{ kind, measure, ...answer },
    ...(brokenDown && { breakdown: [brokenDown] }),
    ...(others.length > 0 && { others }),
  };
}

export async function answerLifecycle(
  ctx: AppContext<'clock' | 'latestExperiment' | 'queries' | 'sql'>,
  { kind, selection = {}, breakdown, ...asked }: LifecycleQuestion,
): Promise<Answer> {
  const [by] = await resolveBreakdowns(ctx, breakdown);
  const events = { ...eventsOf(selection), ...(by && { breakdown: by.by }) };
  const prepared = await prepareLifecycle(ctx, { ...asked, events });
  const { report, groups, bounds } = await countedLifecycle(ctx, prepared);
  const named = groups?.map(({ value, ...figures }) => ({
    value: value === null ? null : (by?.nameOf(value) ?? value),
    ...figures,
  }));
  return { kind, ...report, ...(named && { breakdown: named }), ...(bounds && { bounds }) };
}

export async function answerPaths(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  { kind, selection, names: shown, ...asked }: PathsQuestion,
): Promise<Answer> {
  return { kind, ...(await countedPaths(ctx, { ...asked, events: eventsOf(selection), shown })) };
}
