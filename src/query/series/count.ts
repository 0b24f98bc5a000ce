import { isReserved } from '../../event-store/read.ts';
import { at } from '../../shared/assert.ts';
import { textList } from '../../storage/duckdb-literal.ts';
import { bucketSql, bucketWords, inRangeSql } from '../reading/duckdb/buckets.ts';
import { type Key, personRows } from '../reading/duckdb/person-rows.ts';
import { countedEvents } from '../reading/duckdb/relation.ts';
import { selectEvents } from '../reading/events.ts';
import type { Part } from '../reading/projection/parts.ts';
import type { Share } from '../reading/projection/share.ts';
import { type CountParts, read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import { type Dimension, dimensionSql } from '../selection/dimension.ts';
import type { Selected } from '../selection/selected.ts';
import { isPlain } from '../selection/selection.ts';
import { knownEvents, readEvents } from './events.ts';
import {
  MAX_BREAKDOWN_VALUES,
  type SeriesAnswer,
  type SeriesCounts,
  type SeriesQuestion,
} from './model.ts';
import { heldForSeries } from './needs.ts';
import { SeriesCounter, ValueCounter } from './projected.ts';
import { countSelections } from './selections.ts';

const columnsOf = ({ names }: SeriesQuestion) =>
  names && names.length > 1 ? ['occurred_at', 'name'] : ['occurred_at'];

async function largestValues(
  { connection, source, selection }: QueryRun,
  question: SeriesQuestion,
  value: string,
): Promise<string[]> {
  const fromUs = at(question.boundariesUs, question.valuesFrom);
  const events = countedEvents(selectEvents(source, { ...selection, fromUs }), columnsOf(question));
  const result = await connection.run(
    `SELECT ${value} AS value FROM ${events} GROUP BY 1 ORDER BY count(*) DESC, 1
      LIMIT ${MAX_BREAKDOWN_VALUES}`,
  );
  return (await result.getRows()).map(([text]) => String(text));
}

/** How events are told apart: the key is the number of the series, from 1; 0 is the rest. */
type Split = { key: Key | null; values: (string | null)[] };

async function splitOf(run: QueryRun, question: SeriesQuestion): Promise<Split> {
  const { names, breakdown } = question;
  const keyOf = (values: readonly string[], sql: string): Key => ({
    name: 'series',
    sql: values.length === 0 ? '0' : `coalesce(list_position([${textList(values)}], ${sql}), 0)`,
  });
  if (breakdown) {
    const { value } = dimensionSql(breakdown);
    const values = await largestValues(run, question, value);
    return { key: keyOf(values, value), values: [...values, null] };
  }
  if (names && names.length > 1) return { key: keyOf(names, 'name'), values: names };
  return { key: null, values: names ?? [] };
}

/** By the catalogue, and the files it does not answer for. */
function eventsOfFiles({ source, selection, files }: QueryRun, question: SeriesQuestion) {
  const answers = isPlain(selection) && !question.names?.some(isReserved);
  return answers ? knownEvents({ ...source, files }, question) : { known: [], unknown: files };
}

function startProjected(
  run: QueryRun,
  question: SeriesQuestion,
  share: Share,
  parts: readonly Part[],
) {
  const { boundariesUs, ranges, names, filters, where } = question;
  const files = parts.flatMap(({ file }) => file ?? []);
  const { known, unknown } = eventsOfFiles({ ...run, files }, question);
  const counted = parts.map(({ file }) => file === null || unknown.includes(file));
  const task = {
    boundariesUs,
    ranges,
    names,
    filters,
    where,
    counted,
    values: null,
    selections: null,
  };
  const counter = new SeriesCounter(share, task);
  const answer = (): SeriesAnswer => {
    const { total, series } = counter.counts();
    for (const { bucket, series: number, events } of known) {
      const counted = number === 0 ? [] : [at(series, number - 1)];
      for (const one of [total, ...counted]) one.events[bucket] = at(one.events, bucket) + events;
    }
    return {
      dataThroughMs: run.source.dataThroughMs,
      total,
      series: (names ?? []).map((value, index) => ({ value, ...at(series, index) })),
    };
  };
  return { counter, task: { kind: 'series' as const, question: task }, answer };
}

const hasEvents = ({ events }: SeriesCounts) => events.some((count) => count > 0);

async function countByValue(
  { source }: QueryRun,
  question: SeriesQuestion,
  by: Dimension,
  countParts: CountParts,
): Promise<SeriesAnswer | null> {
  const { boundariesUs, ranges, names, filters, where, valuesFrom } = question;
  const asked = { names, filters, where };
  const shown = await countParts((share) => {
    const [fromUs, beforeUs] = [
      at(boundariesUs, valuesFrom),
      at(boundariesUs, boundariesUs.length - 1),
    ];
    const task = { ...asked, rankedBy: by, fromUs, beforeUs };
    const counter = new ValueCounter(share, task);
    const answer = () => counter.ranked(MAX_BREAKDOWN_VALUES);
    return { counter, task: { kind: 'series' as const, question: task }, answer };
  });
  if (shown === null) return null;
  return countParts((share) => {
    const counted = share.parts.map(() => true);
    const task = {
      ...asked,
      boundariesUs,
      ranges,
      counted,
      values: { by, shown },
      selections: null,
    };
    const counter = new SeriesCounter(share, task);
    const answer = (): SeriesAnswer => {
      const { total, series } = counter.counts();
      const values = [...shown, null].map((value, index) => ({ value, ...at(series, index) }));
      return {
        dataThroughMs: source.dataThroughMs,
        total,
        series: values.filter((one) => one.value !== null || hasEvents(one)),
      };
    };
    return { counter, task: { kind: 'series' as const, question: task }, answer };
  });
}

async function countBySql(run: QueryRun, question: SeriesQuestion): Promise<SeriesAnswer> {
  const { connection, source } = run;
  const { boundariesUs, ranges } = question;
  const buckets = boundariesUs.length - 1;
  const bucket = bucketSql(boundariesUs);
  const columns = columnsOf(question);
  const { key, values } = await splitOf(run, question);
  const words = bucketWords(bucket, buckets);
  const counts = ranges.map((range) => `, countif(${inRangeSql(range)})`).join('');
  const merged = words.map(({ name }) => `, bit_or(${name}) AS ${name}`).join('');
  const people = personRows(run, columns, words, { keys: key ? [key] : [] });
  const bySeries = key ? ` UNION ALL SELECT series${counts} FROM people GROUP BY series` : '';
  const all = key ? `(SELECT person${merged} FROM people GROUP BY person)` : 'people';
  const peopleResult = await connection.run(
    `WITH people AS ${key ? 'MATERIALIZED ' : ''}(${people})
      SELECT NULL${counts} FROM ${all}${bySeries}`,
  );
  const { known, unknown } = eventsOfFiles(run, question);
  const others = countedEvents({ ...run, files: unknown }, columns);
  const fromFiles = await readEvents(connection, others, { bucket, series: key?.sql ?? '0' });
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
  for (const { bucket: index, series, events } of [...known, ...fromFiles]) {
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

function startSelections(
  { source }: QueryRun,
  question: SeriesQuestion,
  selections: readonly Selected[],
  share: Share,
) {
  const { boundariesUs, ranges, names, filters, where } = question;
  const counted = share.parts.map(() => true);
  const task = { boundariesUs, ranges, names, filters, where, counted, values: null, selections };
  const counter = new SeriesCounter(share, task);
  const answer = (): SeriesAnswer => {
    const { total, series } = counter.counts();
    return {
      dataThroughMs: source.dataThroughMs,
      total,
      series: series.map((counts) => ({ value: null, ...counts })),
    };
  };
  return { counter, task: { kind: 'series' as const, question: task }, answer };
}

function projectedForm(run: QueryRun, question: SeriesQuestion) {
  const { names, breakdown, selections } = question;
  const suits = heldForSeries(question);
  if (suits === null) return null;
  if (selections) {
    return { suits, start: (share: Share) => startSelections(run, question, selections, share) };
  }
  if (breakdown) {
    const count = (countParts: CountParts) => countByValue(run, question, breakdown, countParts);
    return { suits, count };
  }
  if (names !== null && new Set(names).size < names.length) return null;
  const start = (share: Share, parts: readonly Part[]) =>
    startProjected(run, question, share, parts);
  return { suits, start };
}

export const countSeries = (run: QueryRun, question: SeriesQuestion): Promise<SeriesAnswer> =>
  read(run, {
    projected: projectedForm(run, question),
    sql: () => (question.selections ? countSelections : countBySql)(run, question),
  });
