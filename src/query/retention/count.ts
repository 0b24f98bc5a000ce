import type { DuckDBConnection } from '@duckdb/node-api';
import { partsOf } from '../projection/parts.ts';
import type { EventSource } from '../source.ts';
import { ensureTables } from '../tables.ts';
import type { CountingThreads } from '../threads/threads.ts';
import { countTogether, shareOf } from '../threads/together.ts';
import { cohortRowsSql, retentionConditions, retentionNeeds, returnedSql } from './cohorts.ts';
import type { RetentionAnswer, RetentionQuestion } from './model.ts';
import { RetentionCounter } from './projected.ts';

/**
 * Retention: a cohort by the first such event ever (`first`) or in the period (`recurring`), and how
 * many of it came back in each period after it. What is not over yet is for the caller to leave out.
 */
export async function countRetention(
  connection: DuckDBConnection,
  source: EventSource,
  question: RetentionQuestion,
  checkTime: () => void = () => undefined,
  threads: CountingThreads | null = null,
): Promise<RetentionAnswer> {
  const parts =
    question.periodUs === null
      ? await partsOf(connection, source, retentionConditions(question))
      : null;
  if (parts) {
    const share = shareOf(parts, source, threads);
    const counter = new RetentionCounter(share, question);
    const task = { kind: 'retention' as const, question };
    await countTogether(counter, { task, share }, { checkTime, threads });
    return { dataThroughMs: source.dataThroughMs, ...counter.counts() };
  }
  await ensureTables(connection, source, retentionNeeds(question));
  const periods = Array.from({ length: question.periods }, (_, index) => index + 1);
  const counts = periods.map((period) => `, countif(${returnedSql(question, period)})`).join('');
  const rows = cohortRowsSql(source, question, 'key');
  const byCohort = (from: string) =>
    `SELECT cohort, count(*)${counts} FROM ${from} GROUP BY cohort`;
  // By the first event ever a person is in one cohort.
  const isInOne = question.cohort === 'first';
  const nothing = periods.map(() => ', 0').join('');
  const result = await connection.run(
    isInOne
      ? byCohort(`(${rows})`)
      : `WITH cohorts AS MATERIALIZED (${rows})
          SELECT NULL, count(DISTINCT person)${nothing} FROM cohorts
          UNION ALL ${byCohort('cohorts')}`,
  );
  let people = 0;
  const cohorts = Array.from({ length: question.cohorts }, () => ({
    size: 0,
    returned: periods.map(() => 0),
  }));
  for (const [cohort, size, ...returned] of await result.getRows()) {
    if (cohort === null || isInOne) people += Number(size);
    if (cohort !== null) {
      cohorts[Number(cohort)] = { size: Number(size), returned: returned.map(Number) };
    }
  }
  return { dataThroughMs: source.dataThroughMs, people, cohorts };
}
