import type { Share } from '../reading/projection/share.ts';
import { read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import { cohortRowsSql, returnedSql } from './cohorts.ts';
import type { RetentionAnswer, RetentionQuestion } from './model.ts';
import { RetentionCounter } from './projected.ts';
import { heldForRetention } from './selections.ts';

async function countBySql(run: QueryRun, question: RetentionQuestion): Promise<RetentionAnswer> {
  const periods = Array.from({ length: question.periods }, (_, index) => index + 1);
  const counts = periods.map((period) => `, countif(${returnedSql(question, period)})`).join('');
  const rows = cohortRowsSql(run, question, 'key');
  const byCohort = (from: string) =>
    `SELECT cohort, count(*)${counts} FROM ${from} GROUP BY cohort`;
  // By the first event ever a person is in one cohort.
  const isInOne = question.cohort === 'first';
  const nothing = periods.map(() => ', 0').join('');
  const result = await run.connection.run(
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
  return { dataThroughMs: run.source.dataThroughMs, people, cohorts };
}

/** Unfinished periods are the caller's to leave out. */
export function countRetention(
  run: QueryRun,
  question: RetentionQuestion,
): Promise<RetentionAnswer> {
  const { dataThroughMs } = run.source;
  const suits = heldForRetention(question);
  const start = (share: Share) => {
    const counter = new RetentionCounter(share, question);
    const answer = () => ({ dataThroughMs, ...counter.counts() });
    return { counter, task: { kind: 'retention' as const, question }, answer };
  };
  return read(run, {
    projected: suits && { suits, start },
    sql: () => countBySql(run, question),
  });
}
