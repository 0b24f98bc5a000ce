import { textList } from '../literal.ts';

/** A BIGINT has this many bits beside its sign and bit 0, which positions from 1 leave out. */
const BITS = 62;

/** A column of events and the values of it whose people are counted. */
export type Dimension = { expression: string; values: readonly string[] };

/** Which of a chunk of values each person had, as bits. */
type Mask = { column: string; aggregate: string; values: readonly string[] };

/**
 * The position of a value in a list is a function of one column, so DuckDB computes it once for
 * each entry of a file's dictionary instead of once for each row.
 */
function masksOf(dimension: Dimension, name: string): Mask[] {
  const masks: Mask[] = [];
  for (let start = 0; start < dimension.values.length; start += BITS) {
    const values = dimension.values.slice(start, start + BITS);
    const position = `list_position([${textList(values)}], ${dimension.expression})`;
    masks.push({
      column: `${name}_${start}`,
      aggregate: `bit_or(1::BIGINT << ${position})`,
      values,
    });
  }
  return masks;
}

/**
 * One row: people in all, then people of each value, dimension by dimension in the order given.
 * Every person is grouped once, whatever the number of values.
 */
export function peopleSql(relation: string, dimensions: readonly Dimension[]): string {
  const masks = dimensions.flatMap((dimension, index) => masksOf(dimension, `m${index}`));
  const grouped = masks.map(({ aggregate, column }) => `, ${aggregate} AS ${column}`).join('');
  const sums = masks.flatMap(({ column, values }) =>
    values.map((_, index) => `, sum((${column} >> ${index + 1}) & 1)::BIGINT`),
  );
  return `SELECT count(*)${sums.join('')}
    FROM (SELECT person${grouped} FROM ${relation} GROUP BY person)`;
}
