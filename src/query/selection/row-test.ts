import { holdsFor } from './condition-match.ts';
import { type Conditions, type ConditionValue, membershipKey, readItem } from './conditions.ts';
import { conditionsOfEvents, type EventSelection } from './selection.ts';

export type FieldValue = ConditionValue | null;

export type RowTest =
  | { field: string; holds: (value: FieldValue) => boolean }
  | { membership: string; is: boolean; asOf: 'event' | 'now' }
  | { all: readonly RowTest[] }
  | { any: readonly RowTest[] };

export const compileConditions = (where: Conditions): RowTest =>
  readItem<RowTest>(where, {
    one: (condition) => ({
      field: condition.field,
      holds: (value) => holdsFor(condition, value),
    }),
    member: (condition) => {
      const { is, asOf = 'now' } = condition;
      return { membership: membershipKey(condition), is, asOf };
    },
    all: (all) => ({ all }),
    any: (any) => ({ any }),
  });

/** Null for what every row passes. */
export function compileRowTest(
  selection: Pick<EventSelection, 'filters' | 'where'>,
): RowTest | null {
  const tests = conditionsOfEvents(selection).map(compileConditions);
  return tests.length === 0 ? null : { all: tests };
}

export const PERSON = 'person';
const MOMENT = 'moment';

export function testFields(test: RowTest): string[] {
  if ('field' in test) return [test.field];
  if ('membership' in test) return [test.asOf === 'now' ? PERSON : MOMENT];
  return ('all' in test ? test.all : test.any).flatMap(testFields);
}
