import { at, onlyRow } from '../../shared/assert.ts';
import { bucketSql, bucketWords, inRangeSql } from '../reading/duckdb/buckets.ts';
import { personRows } from '../reading/duckdb/person-rows.ts';
import { countedEvents } from '../reading/duckdb/relation.ts';
import { readRows, type SqlRun } from '../reading/source/sql-rows.ts';
import { selectedSql } from '../selection/selected.ts';
import type { SeriesAnswer, SeriesCounts, SeriesQuestion } from './model.ts';

type Chosen = { prefix: string; condition: string };

async function countPeople(
  run: SqlRun,
  { boundariesUs, ranges }: SeriesQuestion,
  chosen: readonly Chosen[],
  columns: readonly string[],
): Promise<number[][]> {
  const { dialect } = run.sql;
  const bucket = bucketSql(boundariesUs, dialect);
  const words = chosen.flatMap((one) => bucketWords(bucket, boundariesUs.length - 1, dialect, one));
  const inRange = (range: SeriesQuestion['ranges'][number]) =>
    chosen.map(({ prefix }) => `(${inRangeSql(range, dialect, prefix)})`);
  const counts = ranges.flatMap((range) =>
    [inRange(range).join(' OR '), ...inRange(range)].map((sql) => `count_if(${sql})`),
  );
  if (counts.length === 0) return [];
  const people = personRows(run, columns, words);
  const found = onlyRow(await readRows(run, `SELECT ${counts.join(', ')} FROM (${people})`));
  const width = chosen.length + 1;
  return ranges.map((_, range) => found.slice(range * width, (range + 1) * width).map(Number));
}

export async function countSelections(
  run: SqlRun,
  question: SeriesQuestion,
): Promise<SeriesAnswer> {
  const { boundariesUs, selections = [] } = question;
  const { dialect } = run.sql;
  const found = selections.map((selected) => selectedSql(selected, dialect));
  const columns = ['occurred_at', ...found.flatMap((one) => one.columns)];
  const chosen = found.map(({ condition }, index) => ({ prefix: `s${index}`, condition }));
  const people = await countPeople(run, question, chosen, columns);
  const conditions = chosen.map(({ condition }) => condition);
  const counts = [conditions.join(' OR '), ...conditions].map((sql) => `count_if(${sql})`);
  const rows = await readRows(
    run,
    `SELECT ${bucketSql(boundariesUs, dialect)} AS bucket, ${counts.join(', ')}
      FROM ${countedEvents(run, columns)} GROUP BY 1`,
  );
  const countsOf = (place: number): SeriesCounts => ({
    events: boundariesUs.slice(1).map(() => 0),
    people: people.map((ofRange) => at(ofRange, place)),
  });
  const all = counts.map((_, place) => countsOf(place));
  for (const [bucket, ...events] of rows) {
    for (const [place, { events: ofSeries }] of all.entries()) {
      ofSeries[Number(bucket)] = Number(events[place]);
    }
  }
  return {
    dataThroughMs: run.source.dataThroughMs,
    total: at(all, 0),
    series: all.slice(1).map((series) => ({ value: null, ...series })),
  };
}
