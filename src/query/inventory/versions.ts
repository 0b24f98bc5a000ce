import { bucketSql } from '../reading/duckdb/buckets.ts';
import { eventRelation } from '../reading/duckdb/relation.ts';
import type { QueryRun } from '../reading/run.ts';
import { MAX_VERSIONS, type VersionsAnswer, type VersionsQuestion } from './model.ts';

/** No stray device. */
export async function firstSeen(
  run: QueryRun,
  { boundariesUs, minimumPeople, minimumShare }: VersionsQuestion,
): Promise<VersionsAnswer> {
  const events = eventRelation(run, ['app_version', 'occurred_at'], 'key');
  const result = await run.connection.run(
    `WITH days AS MATERIALIZED (
        SELECT DISTINCT ${bucketSql(boundariesUs)} AS day, app_version, person FROM ${events}),
      everybody AS (SELECT day, count(DISTINCT person) AS people FROM days GROUP BY day),
      versions AS (SELECT day, app_version, count(*) AS people FROM days
        WHERE app_version IS NOT NULL GROUP BY ALL HAVING count(*) >= ${minimumPeople})
      SELECT v.app_version, min(v.day) FROM versions v JOIN everybody e ON e.day = v.day
      WHERE v.people >= ${minimumShare} * e.people
      GROUP BY 1 ORDER BY 2, 1 LIMIT ${MAX_VERSIONS}`,
  );
  const rows = await result.getRows();
  return {
    versions: rows.map(([version, day]) => ({ appVersion: String(version), day: Number(day) })),
  };
}
