import { textLiteral } from '../../storage/duckdb-literal.ts';
import {
  type EventSource,
  eventRelation,
  rawEvents,
  type Selection,
  withLateAliases,
} from '../source.ts';

/** A BIGINT has this many bits beside its sign and bit 0, which positions from 1 leave out. */
const BITS = 62;

/** A column of events and the values of it whose people are counted. */
export type Dimension = {
  column: string;
  values: readonly string[];
  /** The value that stands for a missing one too; null when none is missing. */
  missing: string | null;
};

/** What is kept of a person while their events are grouped; bits, so parts are merged by `or`. */
type Kept = { name: string; bits: string };

type Plan = {
  kept: Kept[];
  /** For each value of the dimension, whether the person had it. */
  conditions: string[];
};

/**
 * Which values a person had, as bits; no value at all is the last of the list. The position in a
 * list is a function of one column, so DuckDB computes it once for each entry of a file's
 * dictionary, not for each row.
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
    kept.push({ name, bits: `1::BIGINT << list_position([${chunk.join(', ')}], ${column})` });
    for (const index of chunk.keys()) {
      conditions.push(`(${name} & ${2n ** BigInt(index + 1)}) <> 0`);
    }
  }
  if (missingAt === -1) return { kept, conditions };
  const withoutValue = conditions.pop();
  conditions[missingAt] = `${conditions[missingAt]} OR ${withoutValue}`;
  return { kept, conditions };
}

/**
 * One row a person. Devices whose user became known late are put together after grouping, when
 * there is one row for each of them, rather than event by event.
 */
function personRows(source: EventSource, selection: Selection, kept: readonly Kept[]): string {
  const { columns } = selection;
  const first = kept.map(({ name, bits }) => `, bit_or(${bits}) AS ${name}`).join('');
  if (source.erased.length > 0) {
    return `SELECT person${first} FROM ${eventRelation(source, selection, 'key')} GROUP BY person`;
  }
  if (source.lateAliases.length === 0) {
    const events = rawEvents(source, ['person_key', ...columns], selection);
    return `SELECT person_key${first} FROM ${events} GROUP BY person_key`;
  }
  const events = rawEvents(source, ['person_key', 'is_anonymous', ...columns], selection);
  const merged = kept.map(({ name }) => `, bit_or(${name}) AS ${name}`).join('');
  const grouped = `(SELECT person_key, is_anonymous${first} FROM ${events} GROUP BY ALL)`;
  const { from, person } = withLateAliases(grouped, 'key');
  return `SELECT ${person} AS person${merged} FROM ${from} GROUP BY 1`;
}

/**
 * One row: people in all, then people of each value, dimension by dimension in the order given.
 * Every person is grouped once, whatever the number of values.
 */
export function peopleSql(
  source: EventSource,
  selection: Selection,
  dimensions: readonly Dimension[],
): string {
  const plans = dimensions.map(planOf);
  const counts = plans
    .flatMap(({ conditions }) => conditions)
    .map((condition) => `, countif(${condition})`);
  const kept = plans.flatMap((plan) => plan.kept);
  return `SELECT count(*)${counts.join('')} FROM (${personRows(source, selection, kept)})`;
}
