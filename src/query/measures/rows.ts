import { at } from '../../shared/assert.ts';
import { bucketSql } from '../reading/duckdb/buckets.ts';
import { eventRelation } from '../reading/duckdb/relation.ts';
import { sessionEvents } from '../reading/duckdb/sessions.ts';
import type { Events } from '../reading/source/events.ts';
import { SESSION_MARGIN_US } from '../reading/source/session.ts';
import type { SqlDialect } from '../selection/property.ts';
import { isOfEvents, isOfSessions, type MeasuresQuestion } from './model.ts';

/** Integers up to here are exact in JavaScript and in JSON. */
const LARGEST_INTEGER = Number.MAX_SAFE_INTEGER;

/** Prices in cents do not drift. */
const INTEGER = `CASE WHEN v = floor(v) AND abs(v) <= ${LARGEST_INTEGER} THEN CAST(v AS BIGINT) END`;
const DECIMAL = `CASE WHEN v <> floor(v) OR abs(v) > ${LARGEST_INTEGER} THEN v END`;

/** Number of the series that an event is in; null without a breakdown. */
export type SeriesSql = { place: string; places: number } | null;

/** A session counts in each series of which it has an event. */
function sessionRows(events: Events, question: MeasuresQuestion, series: SeriesSql): string {
  const { boundariesUs, names, filters, where } = question;
  const [fromUs, beforeUs] = [at(boundariesUs, 0), at(boundariesUs, boundariesUs.length - 1)];
  const meant = { names, filters, where, fromUs, beforeUs: beforeUs + SESSION_MARGIN_US };
  const rows = sessionEvents(events, meant);
  const { dialect } = events.sql;
  const occurred = dialect.sinceEpoch('occurred_at');
  const places = `array_distinct(array_agg(${series?.place}) FILTER (WHERE is_meant))`;
  return `SELECT person, ${bucketSql(boundariesUs, dialect, 'began')} AS bucket,
      (ended - began) / 1e6 AS v${series ? ', series' : ''}
    FROM (SELECT person, min(${occurred}) AS began, max(${occurred}) AS ended
        ${series ? `, ${places} AS places` : ''}
      FROM ${rows} GROUP BY person, session_id, part HAVING bool_or(is_meant))
      ${series ? 'CROSS JOIN UNNEST(places) AS s(series)' : ''}
    WHERE began >= ${fromUs} AND began < ${beforeUs}`;
}

function eventRows(
  events: Events,
  { boundariesUs, measure }: MeasuresQuestion,
  series: SeriesSql,
): string {
  const { dialect } = events.sql;
  const bucket = `${series ? `${series.place} AS series, ` : ''}${bucketSql(boundariesUs, dialect)}`;
  const whose = isOfEvents(measure) ? 'anybody' : 'people';
  if (measure.of !== 'property') {
    const from = eventRelation(events, ['occurred_at'], 'key', whose);
    return `SELECT person, ${bucket} AS bucket, CAST(NULL AS DOUBLE) AS v FROM ${from}`;
  }
  const from = eventRelation(events, ['occurred_at', 'props'], 'key', whose);
  const value = dialect.number(measure.property);
  return `SELECT * FROM (SELECT person, ${bucket} AS bucket, ${value} AS v FROM ${from})
    WHERE v IS NOT NULL`;
}

/** Ranges overlap, so that a row may be in several; a bucket is in few. */
function rangesSql(ranges: MeasuresQuestion['ranges']): string {
  const pairs = ranges.flatMap(([from, before], range) =>
    Array.from({ length: Math.max(0, before - from) }, (_, index) => [range, from + index]),
  );
  const rows = pairs.map((pair) => `(${pair.join(', ')})`);
  if (rows.length === 0) return '(SELECT 0 AS range, 0 AS bucket WHERE false)';
  return `(SELECT range, bucket FROM (VALUES ${rows.join(', ')}) AS r(range, bucket))`;
}

export const sumsSql = (sql: SqlDialect): string =>
  `${sql.sumWhole('i')} AS i, ${sql.sumDecimals('d')} AS d`;

/** Integers `i` and decimals `d` are added apart. */
export function measuredRowsSql(
  events: Events,
  question: MeasuresQuestion,
  series: SeriesSql = null,
): string {
  const { measure, ranges } = question;
  const read = isOfSessions(measure) ? sessionRows : eventRows;
  const rows = read(events, question, series);
  const ofSeries = series ? 'series, ' : '';
  const parts = `SELECT ${ofSeries}person, bucket, v, ${INTEGER} AS i, ${DECIMAL} AS d FROM (${rows})`;
  const ranged = `SELECT ${series ? `series * ${ranges.length} + ` : ''}range AS range, person, v, i, d
    FROM (${parts}) JOIN ${rangesSql(ranges)} USING (bucket)`;
  if (measure.of !== 'property' || measure.per === 'event') return ranged;
  const { dialect } = events.sql;
  return `SELECT *, coalesce(CAST(i AS DOUBLE), 0) + coalesce(d, 0) AS v
    FROM (SELECT range, person, ${sumsSql(dialect)} FROM (${ranged}) GROUP BY range, person)`;
}
