import { selectEvents } from '../reading/events.ts';
import { read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import { loadArms } from './arms.ts';
import { countByLists } from './count-lists.ts';
import { type FunnelAnswer, type FunnelQuestion, stepsBeforeUs } from './model.ts';
import { planFunnel } from './plan.ts';
import { projectedFunnel } from './projected.ts';

/** Counts a funnel over everything that the run reads; arms must be loaded. */
export function countFunnel(run: QueryRun, question: FunnelQuestion): Promise<FunnelAnswer> {
  const plan = planFunnel(question);
  const stepEvents = { ...run, ...selectEvents(run.source, plan.events) };
  return read(stepEvents, {
    projected: plan.held && projectedFunnel(plan, plan.held, run.source.dataThroughMs),
    sql: () => countByLists(stepEvents, plan),
  });
}

export async function answerFunnel(run: QueryRun, question: FunnelQuestion): Promise<FunnelAnswer> {
  const { breakdown } = question;
  if (breakdown?.kind === 'arm') await loadArms(run, breakdown, stepsBeforeUs(question));
  return countFunnel(run, question);
}
