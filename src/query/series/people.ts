import { bucketSql, bucketWords, inRangeSql } from '../reading/duckdb/buckets.ts';
import { personRows } from '../reading/duckdb/person-rows.ts';
import { peoplePage } from '../reading/people-page.ts';
import type { SqlRun } from '../reading/source/sql-rows.ts';
import type { PeopleAnswer } from '../selection/people-page.ts';
import type { SeriesPeopleQuestion } from './model.ts';

export function seriesPeople(run: SqlRun, question: SeriesPeopleQuestion): Promise<PeopleAnswer> {
  const { boundariesUs, bucket } = question;
  const { dialect } = run.sql;
  const words = bucketWords(bucketSql(boundariesUs, dialect), boundariesUs.length - 1, dialect);
  const rows = personRows(run, ['occurred_at'], words, { as: 'id' });
  return peoplePage(run, rows, inRangeSql([bucket, bucket + 1], dialect), question);
}
