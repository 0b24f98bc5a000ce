import type { DuckDBConnection } from '@duckdb/node-api';
import type { EventSource } from '../source.ts';
import { cohortRowsSql, returnedSql } from './cohorts.ts';
import type { RetentionAnswer, RetentionQuestion } from './model.ts';

/**
 * Retention: a cohort by the first such event ever (`first`) or in the period (`recurring`), and how
 * many of it came back in each period after it. What is not over yet is for the caller to leave out.
 */
export async function countRetention(
  connection: DuckDBConnection,
  source: EventSource,
  question: RetentionQuestion,
): Promise<RetentionAnswer> {
  const periods = Array.from({ length: question.periods }, (_, index) => index + 1);
  const counts = periods.map((period) => `, countif(${returnedSql(question, period)})`).join('');
  const nothing = periods.map(() => ', 0').join('');
  const result = await connection.run(
    `WITH cohorts AS MATERIALIZED (${cohortRowsSql(source, question, 'key')})
      SELECT NULL, count(DISTINCT person)${nothing} FROM cohorts
      UNION ALL SELECT cohort, count(*)${counts} FROM cohorts GROUP BY cohort`,
  );
  let people = 0;
  const cohorts = Array.from({ length: question.cohorts }, () => ({
    size: 0,
    returned: periods.map(() => 0),
  }));
  for (const [cohort, size, ...returned] of await result.getRows()) {
    if (cohort === null) people = Number(size);
    else cohorts[Number(cohort)] = { size: Number(size), returned: returned.map(Number) };
  }
  return { dataThroughMs: source.dataThroughMs, people, cohorts };
}
