import { isReserved } from '../../event-store/read.ts';
import { at } from '../../shared/assert.ts';
import { bounded } from '../reading/bounds.ts';
import { bucketSql, bucketWords, inRangeSql } from '../reading/duckdb/buckets.ts';
import { type Key, personRows } from '../reading/duckdb/person-rows.ts';
import { countedEvents } from '../reading/duckdb/relation.ts';
import type { Part } from '../reading/projection/parts.ts';
import type { Share } from '../reading/projection/share.ts';
import { type CountParts, read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import {
  brokenDown,
  placeSql,
  type Shown,
  shownBySql,
  shownPlace,
} from '../reading/shown-values.ts';
import { readRows, type SqlRun } from '../reading/source/sql-rows.ts';
import type { Dimension } from '../selection/dimension.ts';
import { isPlain } from '../selection/selection.ts';
import { countByValue, questionDimensions, seriesNames, shownSeries } from './by-value.ts';
import { knownEvents, readEvents } from './events.ts';
import type { SeriesAnswer, SeriesCounts, SeriesQuestion } from './model.ts';
import { heldForSeries } from './needs.ts';
import { startCounting } from './projected.ts';
import { countSelections } from './selections.ts';

const neededColumns = ({ names }: SeriesQuestion) =>
  names && names.length > 1 ? ['occurred_at', 'name'] : ['occurred_at'];

function findShown(run: SqlRun, question: SeriesQuestion, by: Dimension): Promise<Shown> {
  const fromUs = at(question.boundariesUs, question.valuesFrom);
  return shownBySql(run, by, { ...run.selection, fromUs });
}

/** The key is the number of the series, from 1; the rest is the last. */
type Split = {
  key: Key | null;
  names: Pick<SeriesAnswer['series'][number], 'crossed' | 'value'>[];
  shown: Shown[];
};

async function findSplit(run: SqlRun, question: SeriesQuestion): Promise<Split> {
  const { names } = question;
  const { dialect } = run.sql;
  const shown: Shown[] = [];
  for (const by of questionDimensions(question)) shown.push(await findShown(run, question, by));
  const [first, second] = shown.map((one) => shownPlace(one, dialect));
  if (first) {
    const place = second ? `${first.place} * ${second.places} + ${second.place}` : first.place;
    return { key: { name: 'series', sql: `${place} + 1` }, names: seriesNames(shown), shown };
  }
  const series = (names ?? []).map((value) => ({ value }));
  const key = { name: 'series', sql: `${placeSql(names ?? [], 'name', dialect)} + 1` };
  return { key: series.length > 1 ? key : null, names: series, shown };
}

function eventsOfFiles({ source, selection, files }: SqlRun, question: SeriesQuestion) {
  const answers = isPlain(selection) && !question.names?.some(isReserved);
  return answers ? knownEvents({ ...source, files }, question) : { known: [], unknown: files };
}

function startProjected(
  run: QueryRun,
  question: SeriesQuestion,
  share: Share,
  parts: readonly Part[],
) {
  const files = parts.flatMap(({ file }) => file ?? []);
  const { known, unknown } = eventsOfFiles({ ...run, files }, question);
  const counted = parts.map(({ file }) => file === null || unknown.includes(file));
  return startCounting(run, question, share, { counted }, ({ total, series }) => {
    for (const { bucket, series: number, events } of known) {
      const counted = number === 0 ? [] : [at(series, number - 1)];
      for (const one of [total, ...counted]) one.events[bucket] = at(one.events, bucket) + events;
    }
    const values = question.names ?? [];
    return { total, series: values.map((value, index) => ({ value, ...at(series, index) })) };
  });
}

async function countAtOnce(run: SqlRun, question: SeriesQuestion): Promise<SeriesAnswer> {
  const { source } = run;
  const { dialect } = run.sql;
  const { boundariesUs, ranges } = question;
  const buckets = boundariesUs.length - 1;
  const bucket = bucketSql(boundariesUs, dialect);
  const columns = neededColumns(question);
  const { key, names, shown } = await findSplit(run, question);
  const words = bucketWords(bucket, buckets, dialect);
  const counts = ranges.map((range) => `, count_if(${inRangeSql(range, dialect)})`).join('');
  const merged = words.map(({ name }) => `, ${dialect.mergeBits(name)} AS ${name}`).join('');
  const people = personRows(run, columns, words, { keys: key ? [key] : [] });
  const bySeries = key ? ` UNION ALL SELECT series${counts} FROM people GROUP BY series` : '';
  const all = key ? `(SELECT person${merged} FROM people GROUP BY person)` : 'people';
  const counted = await readRows(
    run,
    `WITH people AS ${key ? dialect.materialized : ''} (${people})
      SELECT NULL${counts} FROM ${all}${bySeries}`,
  );
  const { known, unknown } = eventsOfFiles(run, question);
  const others = countedEvents({ ...run, files: unknown }, columns);
  const fromFiles = await readEvents(run, others, { bucket, series: key?.sql ?? '0' });
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
  for (const [number, ...people] of counted) {
    const series = number === null ? total : seriesOf(number);
    series.people = people.map(Number);
  }
  for (const { bucket: index, series, events } of [...known, ...fromFiles]) {
    const { events: ofSeries } = seriesOf(series);
    ofSeries[index] = at(ofSeries, index) + events;
    total.events[index] = at(total.events, index) + events;
  }
  const series = names.map((name, index) => ({
    ...name,
    ...(key === null ? total : (found.get(index + 1) ?? empty())),
  }));
  const { dataThroughMs } = source;
  if (shown.length === 0) return { dataThroughMs, total, series };
  return {
    dataThroughMs,
    total,
    series: shownSeries(series, shown),
    brokenDown: shown.map(brokenDown),
  };
}

export const seriesBySql = (run: SqlRun, question: SeriesQuestion): Promise<SeriesAnswer> =>
  (question.selections ? countSelections : countAtOnce)(run, question);

function projectedForm(run: QueryRun, question: SeriesQuestion) {
  const { names, breakdown, selections } = question;
  const suits = heldForSeries(question);
  if (suits === null) return null;
  if (selections) {
    const start = (share: Share) =>
      startCounting(run, question, share, { selections }, ({ total, series }) => ({
        total,
        series: series.map((counts) => ({ value: null, ...counts })),
      }));
    return { suits, start };
  }
  if (breakdown) {
    const count = (countParts: CountParts, parts: readonly Part[]) =>
      countByValue({ source: run.source, parts, countParts }, question);
    return { suits, count };
  }
  if (names !== null && new Set(names).size < names.length) return null;
  const start = (share: Share, parts: readonly Part[]) =>
    startProjected(run, question, share, parts);
  return { suits, start };
}

async function withBounds(run: QueryRun, question: SeriesQuestion): Promise<SeriesQuestion> {
  const { breakdown, crossed, boundariesUs, valuesFrom } = question;
  const inWindow = { ...run.selection, fromUs: at(boundariesUs, valuesFrom) };
  return {
    ...question,
    breakdown: breakdown && (await bounded(run, breakdown, inWindow)),
    ...(crossed && { crossed: await bounded(run, crossed, inWindow) }),
  };
}

export async function countSeries(run: QueryRun, asked: SeriesQuestion): Promise<SeriesAnswer> {
  const question = asked.breakdown ? await withBounds(run, asked) : asked;
  return read(run, {
    projected: projectedForm(run, question),
    sql: () => seriesBySql(run, question),
  });
}
