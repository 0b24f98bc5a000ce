import type { AppContext } from '../../context.ts';
import type { Measure } from '../../query/measures/model.ts';
import {
  countedLifecycle,
  countedPaths,
  measuredSeries,
  prepareLifecycle,
} from '../explore/index.ts';
import type { Answer } from './answer.model.ts';
import { nameGroups, resolveBreakdowns } from './breakdown.ts';
import type { LifecycleQuestion, MeasuresQuestion, PathsQuestion } from './model.ts';
import { selectedEvents } from './selections.ts';

const PLACE = 'selection';

/** One measure after the other, so that a question takes one place in the queue. */
export async function answerMeasures(
  ctx: AppContext<'clock' | 'latestExperiment' | 'log' | 'queries' | 'sql'>,
  { kind, selection = {}, measure, others: more = [], breakdown, ...window }: MeasuresQuestion,
): Promise<Answer> {
  const [by] = await resolveBreakdowns(ctx, breakdown);
  const events = { ...selectedEvents(selection, PLACE), ...(by && { breakdown: by.by }) };
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
  const events = { ...selectedEvents(selection, PLACE), ...(by && { breakdown: by.by }) };
  const prepared = await prepareLifecycle(ctx, { ...asked, events });
  const { report, groups, bounds } = await countedLifecycle(ctx, prepared);
  const named = groups && nameGroups(groups, by);
  return { kind, ...report, ...(named && { breakdown: named }), ...(bounds && { bounds }) };
}

export async function answerPaths(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  { kind, selection, names: shown, ...asked }: PathsQuestion,
): Promise<Answer> {
  const events = selectedEvents(selection, PLACE);
  return { kind, ...(await countedPaths(ctx, { ...asked, events, shown })) };
}
