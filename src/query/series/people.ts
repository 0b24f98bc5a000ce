import { bucketSql, bucketWords, inRangeSql } from '../reading/duckdb/buckets.ts';
import { personRows } from '../reading/duckdb/person-rows.ts';
import { peoplePage } from '../reading/people-page.ts';
import type { QueryRun } from '../reading/run.ts';
import type { PeopleAnswer } from '../selection/people-page.ts';
import type { SeriesPeopleQuestion } from './model.ts';

export function seriesPeople(run: QueryRun, question: SeriesPeopleQuestion): Promise<PeopleAnswer> {
  const { boundariesUs, bucket } = question;
  const words = bucketWords(bucketSql(boundariesUs), boundariesUs.length - 1);
  const rows = personRows(run, ['occurred_at'], words, { as: 'id' });
  return peoplePage(run, rows, inRangeSql([bucket, bucket + 1]), question);
}
