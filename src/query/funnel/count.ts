import { must } from '../../shared/assert.ts';
import { bounded } from '../reading/bounds.ts';
import { read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import { brokenDown } from '../reading/shown-values.ts';
import { selectEvents } from '../reading/source/events.ts';
import type { Dimension } from '../selection/dimension.ts';
import { named } from '../selection/selection.ts';
import { loadArms } from './arms.ts';
import { countedLists, type Lists, VALUES_TABLE } from './lists.ts';
import { type FunnelAnswer, type FunnelQuestion, stepsBeforeUs } from './model.ts';
import { toBreakdown, Outcomes } from './outcomes.ts';
import { PathTally } from './path-tally.ts';
import { planFunnel, type FunnelPlan } from './plan.ts';
import { projectedFunnel } from './projected.ts';
import { selectedBy, stepNames } from './steps.ts';
import { walkPeople } from './walk.ts';

async function readValues({ connection }: QueryRun): Promise<Map<number, string>> {
  const result = await connection.run(`SELECT code, value FROM ${VALUES_TABLE}`);
  const rows = await result.getRows();
  return new Map(rows.map(([code, value]) => [Number(code), String(value)]));
}

async function countByLists(run: QueryRun, plan: FunnelPlan): Promise<FunnelAnswer> {
  const { dataThroughMs } = run.source;
  const { breakdown, fold, isFiltered } = plan;
  const lists: Lists = countedLists(run, plan);
  for (const table of lists.tables) await run.connection.run(table);
  const values = breakdown && (await readValues(run));
  const paths = new PathTally({ ...plan, dataThroughMs });
  const outcomes = new Outcomes();
  await walkPeople(run, {
    sql: lists.sql,
    fold,
    isFiltered,
    isDetailed: breakdown !== null || isFiltered,
    byArm: breakdown?.kind === 'arm',
    onEntrant: (entrant) => {
      paths.add(entrant);
      const { code, grouped } = entrant;
      if (values) outcomes.add(code, grouped.depth, grouped.reachedUs);
    },
  });
  return {
    dataThroughMs,
    breakdown: values && toBreakdown(outcomes, values, fold.stepCount),
    ...paths.figures(),
  };
}

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
