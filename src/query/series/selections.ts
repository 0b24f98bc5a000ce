import { at, onlyRow } from '../../shared/assert.ts';
import { bucketSql, bucketWords, inRangeSql } from '../reading/duckdb/buckets.ts';
import { personRows } from '../reading/duckdb/person-rows.ts';
import { countedEvents } from '../reading/duckdb/relation.ts';
import type { QueryRun } from '../reading/run.ts';
import { selectedSql } from '../selection/selected.ts';
import type { SeriesAnswer, SeriesCounts, SeriesQuestion } from './model.ts';

type Chosen = { prefix: string; condition: string };

async function countPeople(
  run: QueryRun,
  { boundariesUs, ranges }: SeriesQuestion,
  chosen: readonly Chosen[],
  columns: readonly string[],
): Promise<number[][]> {
  const bucket = bucketSql(boundariesUs);
  const words = chosen.flatMap((one) => bucketWords(bucket, boundariesUs.length - 1, one));
  const inRange = (range: SeriesQuestion['ranges'][number]) =>
    chosen.map(({ prefix }) => `(${inRangeSql(range, prefix)})`);
  const counts = ranges.map((range) =>
    [inRange(range).join(' OR '), ...inRange(range)].map((sql) => `countif(${sql})`).join(', '),
  );
  if (counts.length === 0) return [];
  const result = await run.connection.run(
    `SELECT ${counts.map((list) => `[${list}]`).join(', ')} FROM (${personRows(run, columns, words)})`,
  );
  return onlyRow(await result.getRowsJson()).map((list) =>
    (Array.isArray(list) ? list : []).map(Number),
  );
}

export async function countSelections(
  run: QueryRun,
  question: SeriesQuestion,
): Promise<SeriesAnswer> {
  const { boundariesUs, selections = [] } = question;
  const found = selections.map((selected) => selectedSql(selected));
  const columns = ['occurred_at', ...found.flatMap((one) => one.columns)];
  const chosen = found.map(({ condition }, index) => ({ prefix: `s${index}`, condition }));
  const people = await countPeople(run, question, chosen, columns);
  const conditions = chosen.map(({ condition }) => condition);
  const counts = [conditions.join(' OR '), ...conditions].map((sql) => `countif(${sql})`);
  const result = await run.connection.run(
    `SELECT ${bucketSql(boundariesUs)} AS bucket, ${counts.join(', ')}
      FROM ${countedEvents(run, columns)} GROUP BY bucket`,
  );
  const countsOf = (place: number): SeriesCounts => ({
    events: boundariesUs.slice(1).map(() => 0),
    people: people.map((ofRange) => at(ofRange, place)),
  });
  const all = counts.map((_, place) => countsOf(place));
  for (const [bucket, ...events] of await result.getRows()) {
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
