import type { DuckDBConnection } from '@duckdb/node-api';
import { STEP_NAMES, WINDOW_US } from './question.ts';

/** Other ways to count the same funnel, for the decision; none of them stitches or deduplicates. */
const stepEvents = (files: string) => `
  SELECT person_id, epoch_us(occurred_at) AS t, list_position(['${STEP_NAMES.join("', '")}'], name) AS k
  FROM ${files} WHERE name IN ('${STEP_NAMES.join("', '")}')
    AND (name <> 'step_3' OR contains(props, '"plan":"yearly"'))`;

const steps = STEP_NAMES.map((_, index) => index + 1);

/** DuckDB's own lists, folded by a lambda; the state travels in the elements. */
function lambdaSql(files: string): string {
  const state = steps.map((k) => `s${k}: NULL::BIGINT`).join(', ');
  const next = steps
    .map((k) =>
      k === 1
        ? 's1: CASE WHEN x.k = 1 THEN x.t ELSE a.s1 END'
        : `s${k}: CASE WHEN x.k = ${k} AND x.t - a.s${k - 1} <= ${WINDOW_US} THEN a.s${k - 1} ELSE a.s${k} END`,
    )
    .join(', ');
  return `SELECT ${steps.map((k) => `count(r.s${k})`).join(', ')} FROM (
    SELECT list_reduce(
      list_prepend({t: 0::BIGINT, k: 0, ${state}}, list_sort(list({t: t, k: k, ${state}}))),
      lambda a, x: {t: x.t, k: x.k, ${next}}) AS r
    FROM (${stepEvents(files)}) GROUP BY person_id)`;
}

/** One window for each step: the most recent start that has come as far as the step before. */
function windowsSql(files: string): string {
  let relation = `SELECT *, CASE WHEN k = 1 THEN t END AS s1 FROM (${stepEvents(files)})`;
  for (const k of steps.slice(1)) {
    const before = `last_value(s${k - 1} IGNORE NULLS) OVER (PARTITION BY person_id ORDER BY t, k)`;
    relation = `SELECT *, CASE WHEN k = ${k} AND t - start <= ${WINDOW_US} THEN start END AS s${k}
      FROM (SELECT *, ${before} AS start FROM (${relation}))`.replace(
      'SELECT *, CASE',
      `SELECT * EXCLUDE (start), CASE`,
    );
  }
  const reached = steps.map((k) => `max(s${k}) AS s${k}`).join(', ');
  return `SELECT ${steps.map((k) => `count(s${k})`).join(', ')}
    FROM (SELECT ${reached} FROM (${relation}) GROUP BY person_id)`;
}

export type Way = { label: string; run: (connection: DuckDBConnection) => Promise<unknown> };

export function otherWays(files: string): Way[] {
  return [
    {
      label: 'lists folded by a SQL lambda',
      run: (connection) => connection.runAndReadAll(lambdaSql(files)),
    },
    {
      label: 'chained window functions',
      run: (connection) => connection.runAndReadAll(windowsSql(files)),
    },
  ];
}
