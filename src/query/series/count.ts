import type { DuckDBConnection } from '@duckdb/node-api';
import { isReserved } from '../../event-store/read.ts';
import { at } from '../../shared/assert.ts';
import { textList } from '../../storage/duckdb-literal.ts';
import { bucketSql, bucketWords, inRangeSql } from '../buckets.ts';
import { dimensionSql } from '../dimension.ts';
import { filterSql } from '../filters.ts';
import { type Key, personRows } from '../person-rows.ts';
import { partsOf } from '../projection/parts.ts';
import { countedEvents, type EventSource, type Selection } from '../source.ts';
import { ensureTables, type Needs } from '../tables.ts';
import type { CountingThreads } from '../threads/threads.ts';
import { type Counting, countTogether, shareOf } from '../threads/together.ts';
import { knownEvents, readEvents } from './events.ts';
import {
  MAX_BREAKDOWN_VALUES,
  type SeriesAnswer,
  type SeriesCounts,
  type SeriesQuestion,
} from './model.ts';
import { SeriesCounter } from './projected.ts';

export function seriesNeeds({
  names,
  breakdown,
  filters,
}: Pick<SeriesQuestion, 'breakdown' | 'filters' | 'names'>): Needs {
  const columns = [
    ...filterSql(filters).columns,
    ...(breakdown ? [dimensionSql(breakdown).column] : []),
  ];
  return { columns: ['name', 'occurred_at', ...columns], ...(names && { names }), counts: true };
}

/** Whether names and times are all that the question asks for. */
function isProjectable({ names, breakdown, filters }: SeriesQuestion): boolean {
  const isPlain = breakdown === null && filterSql(filters).condition === null;
  return isPlain && (names === null || new Set(names).size === names.length);
}

/** For counts alone, which projections may answer. */
export const seriesCountNeeds = (question: SeriesQuestion): Needs =>
  isProjectable(question) ? { ...seriesNeeds(question), projections: true } : seriesNeeds(question);

/** The events of a series: `where` and columns of its names, breakdown and filters. */
export function selectionOf(
  question: Pick<SeriesQuestion, 'boundariesUs' | 'breakdown' | 'filters' | 'names'>,
): Selection & { fromUs: number; beforeUs: number } {
  const { names, breakdown, filters, boundariesUs } = question;
  const { columns, condition } = filterSql(filters);
  const needed = [
    'occurred_at',
    ...columns,
    ...(names && names.length > 1 ? ['name'] : []),
    ...(breakdown ? [dimensionSql(breakdown).column] : []),
  ];
  return {
    columns: [...new Set(needed)],
    ...(names ? { names } : { ofClients: true }),
    ...(condition && { where: condition }),
    fromUs: at(boundariesUs, 0),
    beforeUs: at(boundariesUs, boundariesUs.length - 1),
  };
}

/** The values with most events, which have a series each. */
async function largestValues(
  connection: DuckDBConnection,
  source: EventSource,
  question: SeriesQuestion,
  value: string,
): Promise<string[]> {
  const selection = selectionOf(question);
  const fromUs = at(question.boundariesUs, question.valuesFrom);
  const events = countedEvents(source, { ...selection, fromUs });
  const result = await connection.run(
    `SELECT ${value} AS value FROM ${events} GROUP BY 1 ORDER BY count(*) DESC, 1
      LIMIT ${MAX_BREAKDOWN_VALUES}`,
  );
  return (await result.getRows()).map(([text]) => String(text));
}

/** How events are told apart: the key is the number of the series, from 1; 0 is the rest. */
type Split = { key: Key | null; values: (string | null)[] };

async function splitOf(
  connection: DuckDBConnection,
  source: EventSource,
  question: SeriesQuestion,
): Promise<Split> {
  const { names, breakdown } = question;
  const keyOf = (values: readonly string[], sql: string): Key => ({
    name: 'series',
    sql: values.length === 0 ? '0' : `coalesce(list_position([${textList(values)}], ${sql}), 0)`,
  });
  if (breakdown) {
    const { value } = dimensionSql(breakdown);
    const values = await largestValues(connection, source, question, value);
    return { key: keyOf(values, value), values: [...values, null] };
  }
  if (names && names.length > 1) return { key: keyOf(names, 'name'), values: names };
  return { key: null, values: names ?? [] };
}

/** Whether the catalogue's counts by name can answer how many events there are. */
function catalogueAnswers({ names, breakdown, filters }: SeriesQuestion): boolean {
  const isPlain = breakdown === null && filterSql(filters).condition === null;
  return isPlain && !names?.some(isReserved);
}

/** The answer from projections; null where DuckDB has to give it. */
async function projectedSeries(
  connection: DuckDBConnection,
  source: EventSource,
  question: SeriesQuestion,
  { checkTime, threads }: Counting,
): Promise<SeriesAnswer | null> {
  if (!isProjectable(question)) return null;
  const { names } = question;
  const { fromUs, beforeUs } = selectionOf(question);
  const parts = await partsOf(connection, source, {
    fromUs,
    beforeUs,
    ...(names && { names }),
  });
  if (parts === null) return null;
  const files = parts.flatMap(({ file }) => file ?? []);
  const { known, unknown } = catalogueAnswers(question)
    ? knownEvents({ ...source, files }, question)
    : { known: [], unknown: files };
  const { boundariesUs, ranges } = question;
  const counted = parts.map(({ file }) => file === null || unknown.includes(file));
  const projected = { boundariesUs, ranges, names, counted };
  const share = shareOf(parts, source, threads);
  const counter = new SeriesCounter(share, projected);
  const task = { kind: 'series' as const, question: projected };
  await countTogether(counter, { task, share }, { checkTime, threads });
  const { total, series } = counter.counts();
  for (const { bucket, series: number, events } of known) {
    const counted = number === 0 ? [] : [at(series, number - 1)];
    for (const one of [total, ...counted]) one.events[bucket] = at(one.events, bucket) + events;
  }
  return {
    dataThroughMs: source.dataThroughMs,
    total,
    series: (names ?? []).map((value, index) => ({ value, ...at(series, index) })),
  };
}

/**
 * Counts events by bucket and people by range, a person once in each. Every person is grouped once:
 * the buckets in which they were active are bits of a number.
 */
export async function countSeries(
  connection: DuckDBConnection,
  source: EventSource,
  question: SeriesQuestion,
  checkTime: () => void = () => undefined,
  threads: CountingThreads | null = null,
): Promise<SeriesAnswer> {
  const counting = { checkTime, threads };
  const projected = await projectedSeries(connection, source, question, counting);
  if (projected) return projected;
  await ensureTables(connection, source, seriesNeeds(question));
  const { boundariesUs, ranges } = question;
  const buckets = boundariesUs.length - 1;
  const selection = selectionOf(question);
  const bucket = bucketSql(boundariesUs);
  const { key, values } = await splitOf(connection, source, question);
  const words = bucketWords(bucket, buckets);
  const counts = ranges.map((range) => `, countif(${inRangeSql(range)})`).join('');
  const merged = words.map(({ name }) => `, bit_or(${name}) AS ${name}`).join('');
  const people = personRows(source, selection, words, { keys: key ? [key] : [] });
  const bySeries = key ? ` UNION ALL SELECT series${counts} FROM people GROUP BY series` : '';
  const all = key ? `(SELECT person${merged} FROM people GROUP BY person)` : 'people';
  const peopleResult = await connection.run(
    `WITH people AS ${key ? 'MATERIALIZED ' : ''}(${people})
      SELECT NULL${counts} FROM ${all}${bySeries}`,
  );
  const { known, unknown } = catalogueAnswers(question)
    ? knownEvents(source, question)
    : { known: [], unknown: source.files };
  const sql = { bucket, series: key?.sql ?? '0' };
  const read = await readEvents(connection, { ...source, files: unknown }, selection, sql);
  const empty = (): SeriesCounts => ({
    events: Array.from({ length: buckets }, () => 0),
    people: ranges.map(() => 0),
  });
  const total = empty();
  const found = new Map<number, SeriesCounts>();
  const seriesOf = (number: unknown): SeriesCounts => {
    const series = found.get(Number(number)) ?? empty();
    found.set(Number(number), series);
    return series;
  };
  for (const [number, ...counted] of await peopleResult.getRows()) {
    const series = number === null ? total : seriesOf(number);
    series.people = counted.map(Number);
  }
  for (const { bucket: index, series, events } of [...known, ...read]) {
    const { events: ofSeries } = seriesOf(series);
    ofSeries[index] = at(ofSeries, index) + events;
    total.events[index] = at(total.events, index) + events;
  }
  return {
    dataThroughMs: source.dataThroughMs,
    total,
    series:
      key === null
        ? values.map((value) => ({ value, ...total }))
        : values.flatMap((value, index) => {
            const series = found.get(value === null ? 0 : index + 1);
            if (value === null && series === undefined) return [];
            return [{ value, ...(series ?? empty()) }];
          }),
  };
}
