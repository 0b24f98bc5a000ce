import { onlyRow } from '../../shared/assert.ts';
import type { QueryRun } from '../reading/run.ts';
import {
  LIFECYCLE_STATES,
  type LifecycleAnswer,
  type LifecycleQuestion,
  type LifecycleState,
} from './model.ts';
import { stateRowsSql, stateSql } from './states.ts';

export async function countLifecycle(
  run: QueryRun,
  question: LifecycleQuestion,
): Promise<LifecycleAnswer> {
  const intervals = question.boundariesUs.length - 2;
  const counts = Array.from({ length: intervals }, (_, index) =>
    LIFECYCLE_STATES.map((state) => `, countif(${stateSql(state, index + 1)})`).join(''),
  );
  const result = await run.connection.run(
    `WITH people AS MATERIALIZED (${stateRowsSql(run, question, 'key')})
      SELECT count(*)${counts.join('')} FROM people`,
  );
  const [people, ...counted] = onlyRow(await result.getRows()).map(Number);
  const countOf = (interval: number, state: LifecycleState): number =>
    counted[interval * LIFECYCLE_STATES.length + LIFECYCLE_STATES.indexOf(state)] ?? 0;
  return {
    dataThroughMs: run.source.dataThroughMs,
    people: people ?? 0,
    intervals: Array.from({ length: intervals }, (_, interval) => ({
      new: countOf(interval, 'new'),
      returning: countOf(interval, 'returning'),
      resurrected: countOf(interval, 'resurrected'),
      dormant: countOf(interval, 'dormant'),
    })),
  };
}
