import { Type } from '@sinclair/typebox';
import { at, onlyRow } from '../../shared/assert.ts';
import { Nullable } from '../../shared/schema.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { NotExpressible } from '../failure/not-expressible.ts';
import { rowsParser } from '../reading/lake/rows.ts';
import { orderKey, orderKeySql } from '../selection/trino.ts';
import { readRows, type SqlRun } from '../reading/source/sql-rows.ts';
import type { Dimension } from '../selection/dimension.ts';
import { type LakeFunnel, needsStart, pathsSql } from './lake-paths.ts';
import { type TiedPath, tiedPaths, tiedSqlRows } from './lake-tied-paths.ts';
import type * as model from './model.ts';
import { shownValues } from './shown-values.ts';

/** As many as DuckDB counts apart. */
const MAX_COUNTED_VALUES = 50_000;
const SECOND_US = 1_000_000;
const EVERYBODY = -1;
const REST = 0;

const Count = Type.Integer({ minimum: 0 });
const valueRows = rowsParser(Type.Tuple([Type.String(), Count]), 'values of a funnel in the lake');
const Buckets = Nullable(Type.Record(Type.String(), Count));
const tallyRows = rowsParser(
  Type.Tuple([
    Type.Integer(),
    Count,
    Buckets,
    Buckets,
    Type.Array(Count),
    Type.Array(Nullable(Type.Array(Type.Number()))),
    Type.Array(Nullable(Type.Array(Type.Number()))),
  ]),
  'tallies of a funnel in the lake',
);
type TallyRow = ReturnType<typeof tallyRows>[number];
const peopleRows = rowsParser(
  Type.Tuple([
    Count,
    Nullable(Type.Array(Type.Tuple([Type.String(), Type.String(), Type.Integer()]))),
  ]),
  'people of a funnel in the lake',
);

function toDimension(breakdown: model.FunnelBreakdownBy | null): Dimension | null {
  if (breakdown?.kind === 'arm') throw new NotExpressible('Arms are counted by DuckDB.');
  return breakdown;
}

function countedSql(funnel: LakeFunnel, tied: readonly TiedPath[]): string {
  const hasStart = needsStart(funnel);
  const value = hasStart ? 'start.value' : "''";
  const kept = hasStart ? 'WHERE start.kept' : '';
  const own = `SELECT person, CAST(depth AS BIGINT) AS depth, started, latest, times, ${value} AS value
    FROM (${pathsSql(funnel)}) ${kept}`;
  if (tied.length === 0) return own;
  return `${own} UNION ALL SELECT person, CAST(depth AS BIGINT), started, latest, times, value
    FROM ${tiedSqlRows(tied)}`;
}

async function findValues(
  funnel: LakeFunnel,
  tied: readonly TiedPath[],
): Promise<Map<string, number>> {
  const all = `SELECT value, is_start FROM (${pathsSql(funnel, { withTied: true })})
    CROSS JOIN UNNEST(transform(begun, b -> CAST(ROW(b.value, false) AS ROW(value VARCHAR, is_start BOOLEAN)))
      || CAST(ROW(start.value, start.kept AND NOT tied) AS ROW(value VARCHAR, is_start BOOLEAN)))
      AS t(value, is_start)`;
  const rows = valueRows(
    await readRows(
      funnel.run,
      `SELECT value, count_if(is_start) FROM (${all}) GROUP BY value
        LIMIT ${MAX_COUNTED_VALUES + 1}`,
    ),
  );
  if (rows.length > MAX_COUNTED_VALUES) throw new NotExpressible('There are too many values.');
  const sizes = new Map(rows);
  for (const { value } of tied) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  return new Map([...sizes].filter(([, people]) => people > 0));
}

const middleSql = (durations: string) =>
  `IF(${durations} IS NULL, NULL, ARRAY[element_at(${durations}, (cardinality(${durations}) + 1) / 2),
    element_at(${durations}, cardinality(${durations}) / 2 + 1)])`;

function tallySql(
  funnel: LakeFunnel,
  { trendFromUs, windowUs, fromUs, steps }: model.FunnelQuestion,
  counted: string,
  shown: readonly string[],
): string {
  const later = steps.slice(1).map((_, index) => index + 2);
  const sorted = (duration: string, step: number) =>
    `array_sort(array_agg(${duration}) FILTER (WHERE depth >= ${step}))`;
  const time = (step: number) => `element_at(times, ${step})`;
  const durations = later.flatMap((step) => [
    `, ${sorted(`${time(step)} - ${time(step - 1)}`, step)} AS previous${step}`,
    ...(step === 2 ? [] : [`, ${sorted(`${time(step)} - started`, step)} AS whole${step}`]),
  ]);
  const begins = trendFromUs?.map((start) => `${start - fromUs}e0`).join(', ');
  const bucket = `greatest(width_bucket(CAST(started AS DOUBLE), ARRAY[${begins}]) - 1, 0)`;
  const trend = trendFromUs
    ? `histogram(${bucket}), histogram(${bucket}) FILTER (WHERE depth = ${steps.length})`
    : 'NULL, NULL';
  const groupOf =
    funnel.breakdown === null
      ? null
      : `CASE value ${shown.map((value, index) => `WHEN ${textLiteral(value)} THEN ${index + 1}`).join(' ')} ELSE ${REST} END`;
  const byGroup = shown.length === 0 ? null : groupOf;
  const group = byGroup ? `IF(grouping(part) = 1, ${EVERYBODY}, part)` : String(EVERYBODY);
  const mature = funnel.run.source.dataThroughMs * 1_000 - windowUs - fromUs;
  const reached = steps.map((_, index) => `count_if(depth >= ${index + 1})`);
  const empty = 'CAST(ARRAY[] AS ARRAY(ARRAY(BIGINT)))';
  const list = (of: (step: number) => string) =>
    later.length === 0 ? empty : `ARRAY[${later.map((step) => middleSql(of(step))).join(', ')}]`;
  return `SELECT part, mature, began, finished, reached,
      ${list((step) => `previous${step}`)},
      ${list((step) => (step === 2 ? 'previous2' : `whole${step}`))}
    FROM (SELECT ${group} AS part, count_if(latest < ${mature}) AS mature, ${trend},
        ARRAY[${reached.join(', ')}] AS reached${durations.join('')}
      FROM (SELECT *${byGroup ? `, ${byGroup} AS part` : ''} FROM (${counted}))
      ${byGroup ? 'GROUP BY GROUPING SETS ((), (part))' : ''})
      AS t(part, mature, began, finished, reached${later
        .map((step) => `, previous${step}${step === 2 ? '' : `, whole${step}`}`)
        .join('')})`;
}

const medianSeconds = (middle: number[] | null) =>
  middle === null ? null : (at(middle, 0) + at(middle, 1)) / 2 / SECOND_US;

const toFigures = ([, , , , people, previous, whole]: TallyRow): model.GroupTally => ({
  people,
  medianSecondsFromPrevious: [null, ...previous.map(medianSeconds)],
  medianSecondsFromStart: [null, ...whole.map(medianSeconds)],
});

function toBreakdown(
  rows: readonly TallyRow[],
  shown: readonly string[],
): NonNullable<model.FunnelAnswer['breakdown']> {
  const named = new Map(rows.map((row) => [row[0], toFigures(row)]));
  const rest = named.get(REST);
  const groups = shown.flatMap((value, index) => {
    const tally = named.get(index + 1);
    return tally ? [{ value, tally }] : [];
  });
  return rest ? [...groups, { value: null, tally: rest }] : groups;
}

export async function lakeFunnel(
  run: SqlRun,
  question: model.FunnelQuestion,
): Promise<model.FunnelAnswer> {
  if (question.exclusions || question.isStrict || question.isAnyOrder || question.isDistributed) {
    throw new NotExpressible('Exclusions and distributions are counted by DuckDB.');
  }
  const breakdown = toDimension(question.breakdown);
  const funnel = { rules: question, run, breakdown };
  const tied = await tiedPaths(funnel);
  const sizes = breakdown && (await findValues(funnel, tied));
  const shown = sizes ? shownValues(sizes) : [];
  const counted = countedSql(funnel, tied);
  const rows = tallyRows(await readRows(run, tallySql(funnel, question, counted, shown)));
  const total = onlyRow(rows.filter(([group]) => group === EVERYBODY));
  const [, maturePeople, began, finished] = total;
  return {
    dataThroughMs: run.source.dataThroughMs,
    total: toFigures(total),
    maturePeople,
    breakdown: breakdown && toBreakdown(rows, shown),
    trend:
      question.trendFromUs?.map((fromUs, index) => ({
        fromUs,
        people: began?.[index] ?? 0,
        finished: finished?.[index] ?? 0,
      })) ?? null,
  };
}

export async function lakeFunnelPeople(
  run: SqlRun,
  question: model.FunnelPeopleQuestion,
): Promise<model.FunnelPeopleAnswer> {
  const { step, dropped, after, limit, fromUs } = question;
  const funnel = { rules: question, run, breakdown: null };
  const tied = await tiedPaths(funnel);
  const shownStep = dropped ? step - 1 : step;
  const isShown = dropped ? `depth = ${shownStep}` : `depth >= ${step}`;
  const onward = after === null ? '' : ` AND key > ${textLiteral(orderKey(after))}`;
  const rows = peopleRows(
    await readRows(
      run,
      `SELECT count(*), min(CAST(ROW(key, person, element_at(times, ${Math.max(1, shownStep)}))
          AS ROW(key VARCHAR, person VARCHAR, us BIGINT)), ${limit + 1})
        FILTER (WHERE ${isShown}${onward})
      FROM (SELECT *, ${orderKeySql('person')} AS key FROM (${countedSql(funnel, tied)}))`,
    ),
  );
  const [entered, found] = onlyRow(rows);
  const people = (found ?? []).map(([, personId, us]) => ({ personId, reachedAtUs: fromUs + us }));
  return {
    dataThroughMs: run.source.dataThroughMs,
    entered,
    people: people.slice(0, limit),
    hasMore: people.length > limit,
  };
}
