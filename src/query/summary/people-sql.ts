import { at, must } from '../../shared/assert.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { type Kept, personRows } from '../reading/duckdb/person-rows.ts';
import type { Events } from '../reading/events.ts';

/** Bits of a BIGINT without its sign and without bit 0, which positions from 1 do not use. */
const BITS = 62;

/** A column of events and the values of it whose people are counted. */
export type Dimension = {
  column: string;
  values: readonly string[];
  /** The value that also counts rows without one; null when every row has a value. */
  missing: string | null;
};

type Plan = {
  kept: Kept[];
  /** For each value of the dimension, whether the person has it. */
  conditions: string[];
};

/**
 * The values of a person as bits; the last one is a missing value. The position in a list is a
 * function of one column, so DuckDB computes it once for each entry of a file's dictionary, not for
 * each row.
 */
function planOf({ column, values, missing }: Dimension): Plan {
  const missingAt = missing === null ? -1 : values.indexOf(missing);
  const listed = values.map(textLiteral);
  if (missingAt !== -1) listed.push('NULL');
  const kept: Kept[] = [];
  const conditions: string[] = [];
  for (let start = 0; start < listed.length; start += BITS) {
    const chunk = listed.slice(start, start + BITS);
    const name = `${column}_${start}`;
    const bit = `1::BIGINT << list_position([${chunk.join(', ')}], ${column})`;
    kept.push({ name, aggregate: `bit_or(${bit})` });
    for (const index of chunk.keys()) {
      conditions.push(`(${name} & ${2n ** BigInt(index + 1)}) <> 0`);
    }
  }
  if (missingAt === -1) return { kept, conditions };
  const withoutValue = must(conditions.pop(), 'NULL is listed last');
  conditions[missingAt] = `${at(conditions, missingAt)} OR ${withoutValue}`;
  return { kept, conditions };
}

/**
 * One row: all people, then the people of each value, dimension by dimension. Every person is
 * grouped once, whatever the number of values.
 */
export function peopleSql(events: Events, dimensions: readonly Dimension[]): string {
  const plans = dimensions.map(planOf);
  const counts = plans
    .flatMap(({ conditions }) => conditions)
    .map((condition) => `, countif(${condition})`);
  const kept = plans.flatMap((plan) => plan.kept);
  return `SELECT count(*)${counts.join('')} FROM (${personRows(
    events,
    dimensions.map(({ column }) => column),
    kept,
  )})`;
}
