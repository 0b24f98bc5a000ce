import { onlyRow } from '../../shared/assert.ts';
import type { Dimension } from '../selection/dimension.ts';
import { MAX_NUMBER_RANGES, roundBounds } from '../selection/number-ranges.ts';
import { DUCKDB } from '../selection/property.ts';
import type { EventSelection } from '../selection/selection.ts';
import { countedEvents } from './duckdb/relation.ts';
import type { QueryRun } from './run.ts';
import { selectEvents } from './source/events.ts';

/** Quantiles of more rows are estimated, since all values are kept for exact ones. */
const MAX_EXACT_ROWS = 10_000_000;

const SHARES = Array.from(
  { length: MAX_NUMBER_RANGES - 1 },
  (_, index) => (index + 1) / MAX_NUMBER_RANGES,
);

const toNumbers = (list: unknown): number[] => (Array.isArray(list) ? list.map(Number) : []);

export async function bounded(
  run: QueryRun,
  by: Dimension,
  selection: EventSelection,
): Promise<Dimension> {
  if (by.kind !== 'prop' || by.bounds !== null) return by;
  await run.load();
  const events = selectEvents(run.source, selection);
  const rows = run.source.hotRows.length + events.files.reduce((sum, file) => sum + file.rows, 0);
  const quantiles = rows > MAX_EXACT_ROWS ? 'approx_quantile' : 'quantile_disc';
  const result = await run.connection.run(
    `SELECT ${quantiles}(v, [${SHARES.join(', ')}]), min(v), max(v) FROM
      (SELECT ${DUCKDB.number(by.prop)} AS v FROM ${countedEvents(events, ['props'])})
      WHERE v IS NOT NULL`,
  );
  const [found, least, most] = onlyRow(await result.getRowsJson());
  const range = { least: Number(least), most: Number(most) };
  return { ...by, bounds: least === null ? [] : roundBounds(toNumbers(found), range) };
}
