import type { EventRow } from '../../event-store/projections.ts';
import { versionKey } from '../../shared/app-version.ts';
import { outside } from '../../shared/assert.ts';
import { type ContextField, isVersionField } from '../../shared/event-fields.ts';
import {
  type Condition,
  type Conditions,
  type ConditionValue,
  columnField,
  toPropertyName,
  readItem,
} from './conditions.ts';

type Value = ConditionValue | null;
export type MatchedRow = Pick<EventRow, ContextField | 'name' | 'props' | 'sessionId'>;

const COUNTRY_LETTERS = /^[A-Za-z]{1,2}$/;

export const wantedValue = <T extends ConditionValue>(field: string, value: T): T | string =>
  field === 'country' && typeof value === 'string' && COUNTRY_LETTERS.test(value)
    ? value.toUpperCase()
    : value;

/** By code points, as databases compare. */
export function compareTexts(one: string, other: string): number {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return Buffer.compare(a, b);
}

function compare(field: string, value: Value, bound: string | number): number | null {
  if (typeof value === 'number' && typeof bound === 'number') return value - bound;
  if (typeof value !== 'string' || typeof bound !== 'string') return null;
  if (!isVersionField(field)) return value.isWellFormed() ? compareTexts(value, bound) : null;
  const [own, others] = [versionKey(value), versionKey(bound)];
  return own === null || others === null ? null : compareTexts(own, others);
}

const toText = (value: Value): string | null =>
  typeof value === 'string' && value.isWellFormed() ? value : null;

export function holdsFor(condition: Condition, value: Value): boolean {
  const { field } = condition;
  const order = (bound: string | number) => compare(field, value, wantedValue(field, bound));
  switch (condition.op) {
    case 'is':
      return value === wantedValue(field, condition.value);
    case 'isNot':
      return value !== wantedValue(field, condition.value);
    case 'isOneOf':
      return condition.values.some((wanted) => value === wantedValue(field, wanted));
    case 'contains':
      return toText(value)?.includes(wantedValue(field, condition.value)) ?? false;
    case 'beginsWith':
      return toText(value)?.startsWith(wantedValue(field, condition.value)) ?? false;
    case 'gt':
      return (order(condition.value) ?? 0) > 0;
    case 'gte':
      return (order(condition.value) ?? -1) >= 0;
    case 'lt':
      return (order(condition.value) ?? 0) < 0;
    case 'lte':
      return (order(condition.value) ?? 1) <= 0;
    case 'between':
      return (order(condition.from) ?? -1) >= 0 && (order(condition.to) ?? 1) <= 0;
    case 'isSet':
      return value !== null;
    case 'isNotSet':
      return value === null;
  }
}

const isValue = (value: unknown): value is ConditionValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function propertyValue(props: string | null, name: string): Value {
  if (!props?.includes(`${JSON.stringify(name)}:`)) return null;
  const parsed: unknown = JSON.parse(props);
  if (typeof parsed !== 'object' || parsed === null || !Object.hasOwn(parsed, name)) return null;
  const value: unknown = Reflect.get(parsed, name);
  return isValue(value) ? value : null;
}

function rowTest(condition: Condition): (row: MatchedRow) => boolean {
  const prop = toPropertyName(condition.field);
  if (prop !== null) return ({ props }) => holdsFor(condition, propertyValue(props, prop));
  const named = columnField(condition.field);
  const field = named === 'session' ? 'sessionId' : named;
  return (row) => holdsFor(condition, row[field]?.toWellFormed() ?? null);
}

export const rowMatcher = (where: Conditions): ((row: MatchedRow) => boolean) =>
  readItem<(row: MatchedRow) => boolean>(where, {
    one: rowTest,
    member: () => outside('Rows are not asked for members.'),
    all: (tests) => (row) => tests.every((test) => test(row)),
    any: (tests) => (row) => tests.some((test) => test(row)),
  });
