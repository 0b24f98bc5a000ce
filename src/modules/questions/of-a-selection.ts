import type { AppContext } from '../../context.ts';
import { checkConditions } from '../../query/selection/conditions.ts';
import {
  countedLifecycle,
  countedPaths,
  measuredSeries,
  prepareLifecycle,
} from '../explore/index.ts';
import type { Answer } from './answer.model.ts';
import type { LifecycleQuestion, MeasuresQuestion, PathsQuestion, Selection } from './model.ts';

function eventsOf({ events, where }: Selection) {
  if (where) checkConditions(where, 'selection.where');
  return { names: events ?? null, filters: {}, ...(where && { where }) };
}

export async function answerMeasures(
  ctx: AppContext<'clock' | 'log' | 'queries' | 'sql'>,
  { kind, selection = {}, ...asked }: MeasuresQuestion,
): Promise<Answer> {
  const { measure } = asked;
  return { kind, measure, ...(await measuredSeries(ctx, { ...asked, ...eventsOf(selection) })) };
}

export async function answerLifecycle(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  { kind, selection = {}, ...asked }: LifecycleQuestion,
): Promise<Answer> {
  const prepared = await prepareLifecycle(ctx, { ...asked, events: eventsOf(selection) });
  return { kind, ...(await countedLifecycle(ctx, prepared)) };
}

export async function answerPaths(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  { kind, selection, names: shown, ...asked }: PathsQuestion,
): Promise<Answer> {
  return { kind, ...(await countedPaths(ctx, { ...asked, events: eventsOf(selection), shown })) };
}
