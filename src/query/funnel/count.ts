import type { DuckDBConnection } from '@duckdb/node-api';
import { at } from '../../shared/assert.ts';
import { hasFilter } from '../filters.ts';
import { partsOf } from '../projection/parts.ts';
import type { EventSource } from '../source.ts';
import { ensureTables } from '../tables.ts';
import type { CountingThreads } from '../threads/threads.ts';
import { countTogether, shareOf } from '../threads/together.ts';
import type { FunnelAnswer, FunnelBreakdownBy, FunnelQuestion, GroupTally } from './model.ts';
import { Outcomes } from './outcomes.ts';
import { PathTally } from './path-tally.ts';
import { FunnelCounter } from './projected.ts';
import {
  armListsSql,
  armsSql,
  detailedListsSql,
  funnelNeeds,
  isProjectable,
  plainListsSql,
  stepConditions,
  VALUES_TABLE,
  valuedEventsSql,
  valuedListsSql,
  valuesSql,
} from './relation.ts';
import { largest } from './shown-values.ts';
import { propertiesOf } from './step-masks.ts';
import { walkPeople } from './walk.ts';

/** Distinct values while counting; rarer ones on step-1 events count as the rest from the start. */
const MAX_COUNTED_VALUES = 50_000;

/** The values of the breakdown by their codes; makes what the lists are read from. */
async function loadValues(
  connection: DuckDBConnection,
  source: EventSource,
  question: FunnelQuestion,
  breakdown: FunnelBreakdownBy,
): Promise<Map<number, string>> {
  if (breakdown.kind === 'arm') await connection.run(armsSql());
  else {
    await connection.run(valuedEventsSql(source, question, breakdown));
    await connection.run(valuesSql(question, MAX_COUNTED_VALUES));
  }
  const result = await connection.run(`SELECT code, value FROM ${VALUES_TABLE}`);
  const rows = await result.getRows();
  return new Map(rows.map(([code, value]) => [Number(code), String(value)]));
}

function listsSql(source: EventSource, question: FunnelQuestion): string {
  const { breakdown } = question;
  if (breakdown?.kind === 'arm') return armListsSql(source, question, breakdown);
  if (breakdown) return valuedListsSql();
  return hasFilter(question.filters)
    ? detailedListsSql(source, question, 'key')
    : plainListsSql(source, question);
}

function breakdownOf(
  outcomes: Outcomes,
  values: ReadonlyMap<number, string>,
  stepCount: number,
): NonNullable<FunnelAnswer['breakdown']> {
  const shown = largest(outcomes.sizes(), values);
  const { chosen, rest } = outcomes.tally(
    shown.map(({ code }) => code),
    stepCount,
  );
  const groups: { value: string | null; tally: GroupTally }[] = chosen.map((tally, index) => ({
    value: at(shown, index).value,
    tally,
  }));
  if (at(rest.people, 0) > 0) groups.push({ value: null, tally: rest });
  return groups;
}

/** Counts a funnel over everything in `source`. */
export async function countFunnel(
  connection: DuckDBConnection,
  source: EventSource,
  question: FunnelQuestion,
  checkTime: () => void,
  threads: CountingThreads | null = null,
): Promise<FunnelAnswer> {
  const { breakdown, steps } = question;
  const { dataThroughMs } = source;
  const parts = isProjectable(question, breakdown !== null)
    ? await partsOf(connection, source, stepConditions(question), propertiesOf(question))
    : null;
  if (parts) {
    const rules = { ...question, dataThroughMs };
    const share = shareOf(parts, source, threads);
    const counter = new FunnelCounter(share, rules);
    const task = { kind: 'funnel' as const, question: rules };
    await countTogether(counter, { task, share }, { checkTime, threads });
    return { dataThroughMs, breakdown: null, ...counter.paths.figures() };
  }
  const paths = new PathTally({ ...question, dataThroughMs });
  const outcomes = new Outcomes();
  await ensureTables(connection, source, funnelNeeds(question));
  const values = breakdown && (await loadValues(connection, source, question, breakdown));
  await walkPeople(connection, {
    sql: listsSql(source, question),
    rules: question,
    detailed: breakdown !== null || hasFilter(question.filters),
    byArm: breakdown?.kind === 'arm',
    checkTime,
    onEntrant: (entrant) => {
      paths.add(entrant);
      const { code, grouped } = entrant;
      if (values) outcomes.add(code, grouped.depth, grouped.reachedUs);
    },
  });
  return {
    dataThroughMs,
    breakdown: values && breakdownOf(outcomes, values, steps.length),
    ...paths.figures(),
  };
}
