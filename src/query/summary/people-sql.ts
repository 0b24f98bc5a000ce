import { at, must } from '../../shared/assert.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { type Kept, personRows } from '../reading/duckdb/person-rows.ts';
import type { Events } from '../reading/source/events.ts';

/** Bits of a BIGINT without its sign and without bit 0, which positions from 1 do not use. */
const BITS = 62;

export type Dimension = {
  column: string;
  values: readonly string[];
  /** Also counts rows without a value; null when there are none. */
  missing: string | null;
};

type Plan = {
  kept: Kept[];
  conditions: string[];
};

/**
 * A list position depends on one column: DuckDB computes it once per dictionary entry, not per row.
 */
function toPlan({ column, values, missing }: Dimension): Plan {
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

/** A person is grouped once, whatever the number of values. */
export function peopleSql(events: Events, dimensions: readonly Dimension[]): string {
  const plans = dimensions.map(toPlan);
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
