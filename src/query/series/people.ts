import { bucketSql, bucketWords, inRangeSql } from '../buckets.ts';
import type { QueryRun } from '../engine.ts';
import type { PeopleAnswer } from '../people-page.model.ts';
import { peoplePage } from '../people-page.ts';
import { personRows } from '../person-rows.ts';
import type { SeriesPeopleQuestion } from './model.ts';

export function seriesPeople(run: QueryRun, question: SeriesPeopleQuestion): Promise<PeopleAnswer> {
  const { boundariesUs, bucket } = question;
  const { source, selection } = run;
  const words = bucketWords(bucketSql(boundariesUs), boundariesUs.length - 1);
  const rows = personRows(source, selection, ['occurred_at'], words, { as: 'id' });
  return peoplePage(run, rows, inRangeSql([bucket, bucket + 1]), question);
}
