import { type Static, Type } from '@sinclair/typebox';
import { at, outside } from '../../shared/assert.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { NotExpressible } from '../failure/not-expressible.ts';
import { rowsParser } from '../reading/lake/rows.ts';
import { readRows } from '../reading/source/sql-rows.ts';
import { FunnelFold } from './fold.ts';
import { type LakeFunnel, overlaps, PACKED, stepEventsSql, TIED_SQL } from './lake-paths.ts';

export type TiedPath = {
  person: string;
  depth: number;
  times: number[];
  latestStartUs: number;
  value: string;
};

/** Their paths come back to the engine as text. */
const MAX_TIED = 2_000;

const Row = Type.Tuple([
  Type.String(),
  /** Time, place in its batch, arrival, steps, kept by filters, value. */
  Type.Array(
    Type.Tuple([
      Type.Integer(),
      Type.Integer(),
      Type.Integer(),
      Type.Integer(),
      Type.Boolean(),
      Type.String(),
    ]),
  ),
]);
const tiedRows = rowsParser(Row, 'people whose events compete for steps');

function tiedSql(funnel: LakeFunnel): string {
  const packed = `transform(known, k -> k.us * ${PACKED} + k.mask)`;
  return `SELECT person, known FROM (
    SELECT person, known, ${packed} AS events FROM (
      SELECT person, array_sort(array_agg(CAST(ROW(us, place, arrival, mask, kept, value) AS ROW(us BIGINT,
          place BIGINT, arrival BIGINT, mask BIGINT, kept BOOLEAN, value VARCHAR)))) AS known
      FROM (${stepEventsSql(funnel)}) WHERE mask <> 0 GROUP BY person))
    WHERE ${TIED_SQL} LIMIT ${MAX_TIED + 1}`;
}

function foldPath(
  fold: FunnelFold,
  { rules }: LakeFunnel,
  [person, known]: Static<typeof Row>,
): TiedPath[] {
  const depth = fold.fold({
    times: Float64Array.from(known, ([us]) => us),
    masks: Int32Array.from(known, ([, , , mask]) => mask),
    count: known.length,
  });
  if (depth === 0) return [];
  const [, , , , kept, value] = at(known, fold.startIndex);
  const times = rules.steps.slice(0, depth).map((_, step) => fold.reachedUs[step] ?? outside());
  const { latestStartUs } = fold;
  return kept ? [{ person, depth, times, latestStartUs, value }] : [];
}

/** Paths of people left out by the engine's SQL. */
export async function tiedPaths(funnel: LakeFunnel): Promise<TiedPath[]> {
  const { rules, run } = funnel;
  if (!overlaps(rules)) return [];
  const found = tiedRows(await readRows(run, tiedSql(funnel)));
  if (found.length > MAX_TIED) {
    throw new NotExpressible('Too many people have events that compete for steps.');
  }
  const fold = new FunnelFold({
    stepCount: rules.steps.length,
    windowUs: rules.windowUs,
    startBeforeUs: rules.startBeforeUs - rules.fromUs,
    firstStartOnly: rules.firstStartOnly ?? false,
  });
  return found.flatMap((row) => foldPath(fold, funnel, row));
}

export function tiedSqlRows(paths: readonly TiedPath[]): string {
  const list = paths.map(
    ({ person, depth, times, latestStartUs, value }) =>
      `(${textLiteral(person)}, ${depth}, BIGINT '${at(times, 0)}', BIGINT '${latestStartUs}', ARRAY[${times
        .map((time) => `BIGINT '${time}'`)
        .join(', ')}], ${textLiteral(value)})`,
  );
  return `(VALUES ${list.join(', ')}) t(person, depth, started, latest, times, value)`;
}
