import { must } from '../../shared/assert.ts';
import { bounded } from '../reading/bounds.ts';
import { read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import { brokenDown } from '../reading/shown-values.ts';
import { selectEvents } from '../reading/source/events.ts';
import type { Dimension } from '../selection/dimension.ts';
import { named } from '../selection/selection.ts';
import { loadArms } from './arms.ts';
import { countByLists } from './count-lists.ts';
import { type FunnelAnswer, type FunnelQuestion, stepsBeforeUs } from './model.ts';
import { planFunnel } from './plan.ts';
import { projectedFunnel } from './projected.ts';
import { selectedBy, stepNames } from './steps.ts';

export function countFunnel(run: QueryRun, question: FunnelQuestion): Promise<FunnelAnswer> {
  const plan = planFunnel(question);
  const stepEvents = { ...run, ...selectEvents(run.source, plan.events) };
  return read(stepEvents, {
    projected: plan.held && projectedFunnel(plan, plan.held, run.source.dataThroughMs),
    sql: () => countByLists(stepEvents, plan),
  });
}

async function boundedByEntries(
  run: QueryRun,
  by: Dimension,
  { steps, fromUs, startBeforeUs, isAnyOrder }: FunnelQuestion,
): Promise<Dimension> {
  const first = selectedBy(must(steps[0], 'a funnel has steps'));
  const { events = null, where } = isAnyOrder ? { events: stepNames(steps) } : first;
  const { environment } = run.selection;
  const entries = { ...named(events), where, environment, fromUs, beforeUs: startBeforeUs };
  return bounded(run, by, entries);
}

export async function answerFunnel(run: QueryRun, question: FunnelQuestion): Promise<FunnelAnswer> {
  const { breakdown } = question;
  if (breakdown?.kind === 'arm') await loadArms(run, breakdown, stepsBeforeUs(question));
  if (breakdown?.kind !== 'prop' || breakdown.bounds === undefined) {
    return countFunnel(run, question);
  }
  const by = await boundedByEntries(run, breakdown, question);
  const answer = await countFunnel(run, { ...question, breakdown: by });
  return { ...answer, brokenDown: brokenDown({ by, values: [], others: 0 }) };
}
