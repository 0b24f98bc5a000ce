import { holdsFor } from './condition-match.ts';
import { type Conditions, type ConditionValue, readItem } from './conditions.ts';
import { COLUMN_DIMENSIONS, valueText } from './dimension.ts';
import type { EventFilters } from './filters.ts';
import { jsonTexts } from './property.ts';

export type FieldValue = ConditionValue | null;

/** By one field at a time, so that each value of a dictionary is tried once. */
export type RowTest =
  | { field: string; holds: (value: FieldValue) => boolean }
  | { all: readonly RowTest[] }
  | { any: readonly RowTest[] };

export const testOfConditions = (where: Conditions): RowTest =>
  readItem<RowTest>(where, {
    one: (condition) => ({
      field: condition.field,
      holds: (value) => holdsFor(condition, value),
    }),
    all: (all) => ({ all }),
    any: (any) => ({ any }),
  });

export function testOfProperty({ prop, equals }: { prop: string; equals: string }): RowTest {
  const texts = jsonTexts(equals);
  return {
    field: `prop:${prop}`,
    holds: (value) => value !== null && texts.includes(JSON.stringify(value)),
  };
}

function testsOfFilters(filters: EventFilters): RowTest[] {
  const ofColumns = COLUMN_DIMENSIONS.flatMap((kind): RowTest[] => {
    const equals = filters[kind];
    if (equals === undefined) return [];
    return [{ field: kind, holds: (value) => valueText({ kind }, value) === equals }];
  });
  return [...ofColumns, ...(filters.property ? [testOfProperty(filters.property)] : [])];
}

/** Null for what every row passes. */
export function rowTestOf({
  filters = {},
  where,
}: {
  filters?: EventFilters;
  where?: Conditions | undefined;
}): RowTest | null {
  const tests = [...testsOfFilters(filters), ...(where ? [testOfConditions(where)] : [])];
  return tests.length === 0 ? null : { all: tests };
}

export function fieldsOf(test: RowTest): string[] {
  if ('field' in test) return [test.field];
  return ('all' in test ? test.all : test.any).flatMap(fieldsOf);
}
