import type { DuckDBConnection } from '@duckdb/node-api';
import { onlyRow } from '../../shared/assert.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { bucketSql, bucketWords, inRangeSql } from '../buckets.ts';
import { personRows } from '../person-rows.ts';
import { cohortRowsSql, returnedSql } from '../retention/cohorts.ts';
import { selectionOf } from '../series/count.ts';
import type { EventSource } from '../source.ts';
import type { PeopleAnswer, RetentionPeopleQuestion, SeriesPeopleQuestion } from './model.ts';

type Page = { after: string | null; limit: number };

/** A page of the people of `rows` who meet the condition, by id, and how many there are in all. */
async function pageOf(
  connection: DuckDBConnection,
  source: EventSource,
  rows: string,
  condition: string,
  { after, limit }: Page,
): Promise<PeopleAnswer> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE people_behind AS ${rows}`);
  const total = await connection.runAndReadAll('SELECT count(DISTINCT person) FROM people_behind');
  const onward = after === null ? '' : ` AND person > ${textLiteral(after)}`;
  const result = await connection.runAndReadAll(
    `SELECT person FROM people_behind WHERE (${condition})${onward}
      ORDER BY person LIMIT ${limit + 1}`,
  );
  const people = result.getRows().map(([person]) => String(person));
  return {
    dataThroughMs: source.dataThroughMs,
    total: Number(onlyRow(total.getRows())[0]),
    people: people.slice(0, limit),
    hasMore: people.length > limit,
  };
}

export function seriesPeople(
  connection: DuckDBConnection,
  source: EventSource,
  question: SeriesPeopleQuestion,
): Promise<PeopleAnswer> {
  const { boundariesUs, bucket } = question;
  const words = bucketWords(bucketSql(boundariesUs), boundariesUs.length - 1);
  const selection = selectionOf({ ...question, breakdown: null });
  const rows = personRows(source, selection, words, { as: 'id' });
  return pageOf(connection, source, rows, inRangeSql([bucket, bucket + 1]), question);
}

export function retentionPeople(
  connection: DuckDBConnection,
  source: EventSource,
  question: RetentionPeopleQuestion,
): Promise<PeopleAnswer> {
  const { cohortIndex, period } = question;
  const returned = period === 0 ? '' : ` AND ${returnedSql(question, period)}`;
  const rows = cohortRowsSql(source, question, 'id');
  return pageOf(connection, source, rows, `cohort = ${cohortIndex}${returned}`, question);
}
