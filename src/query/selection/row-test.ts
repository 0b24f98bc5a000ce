import { holdsFor } from './condition-match.ts';
import { type Conditions, type ConditionValue, readItem } from './conditions.ts';
import { conditionsOfEvents, type EventSelection } from './selection.ts';

export type FieldValue = ConditionValue | null;

/** By one field at a time, so that each value of a dictionary is tried once. */
export type RowTest =
  | { field: string; holds: (value: FieldValue) => boolean }
  | { all: readonly RowTest[] }
  | { any: readonly RowTest[] };

export const testOf = (where: Conditions): RowTest =>
  readItem<RowTest>(where, {
    one: (condition) => ({
      field: condition.field,
      holds: (value) => holdsFor(condition, value),
    }),
    all: (all) => ({ all }),
    any: (any) => ({ any }),
  });

/** Null for what every row passes. */
export function rowTestOf(selection: Pick<EventSelection, 'filters' | 'where'>): RowTest | null {
  const tests = conditionsOfEvents(selection).map(testOf);
  return tests.length === 0 ? null : { all: tests };
}

export function fieldsOf(test: RowTest): string[] {
  if ('field' in test) return [test.field];
  return ('all' in test ? test.all : test.any).flatMap(fieldsOf);
}
