import { type Static, Type } from '@sinclair/typebox';
import {
  EVENT_FIELDS,
  eachOf,
  FILTER_FIELDS,
  type FilterField,
} from '../../shared/event-fields.ts';
import type { Conditions, ConditionValue } from './conditions.ts';

/** A property by the text of its value, of whatever type. */
export const PropertyMatch = Type.Object({ prop: Type.String(), equals: Type.String() });
export type PropertyMatch = Static<typeof PropertyMatch>;

/** Short form of conditions that all must hold. */
export const EventFilters = Type.Object({
  ...eachOf(FILTER_FIELDS, () => Type.Optional(Type.String())),
  property: Type.Optional(PropertyMatch),
});
export type EventFilters = Static<typeof EventFilters>;

type Item = Extract<Conditions, { all: unknown }>['all'][number];

function parseValues(equals: string): ConditionValue[] {
  const isNumber =
    equals !== '' && String(Number(equals)) === equals && Number.isFinite(Number(equals));
  if (isNumber) return [equals, Number(equals)];
  return equals === 'true' || equals === 'false' ? [equals, equals === 'true'] : [equals];
}

const propertyItem = ({ prop, equals }: PropertyMatch): Item => ({
  field: `prop:${prop}`,
  op: 'isOneOf',
  values: parseValues(equals),
});

export const matchConditions = (match: PropertyMatch): Conditions => ({
  all: [propertyItem(match)],
});

/** A missing value is asked for by the name that breakdowns give it. */
function dimensionItem(field: FilterField, value: string): Item {
  const is: Item = { field, op: 'is', value };
  return value === EVENT_FIELDS[field].missing ? { any: [is, { field, op: 'isNotSet' }] } : is;
}

export function filterConditions(filters: EventFilters): Conditions | null {
  const items = FILTER_FIELDS.flatMap((field) => {
    const value = filters[field];
    return value === undefined ? [] : [dimensionItem(field, value)];
  });
  if (filters.property) items.push(propertyItem(filters.property));
  return items.length === 0 ? null : { all: items };
}
