import type { Conditions } from '../../../clients/api/src/index.ts';
import { FILTER_FIELDS, type FilterField } from '../../shared/event-fields.ts';
import { isGroup, whereOf, type Said } from './conditions.ts';

export const VERSION = 'appVersion' satisfies FilterField;

export type Dimension = FilterField | 'arm' | `prop:${string}`;

/** The only one that routes take. */
export type Operator = 'is';
export type Filter = { dimension: Dimension; operator: Operator; value: string };

/** Events of which a series can be drawn at once. */
export const MAX_EVENTS = 6;

type Parameters = Readonly<Record<string, string | undefined>>;

const PROPERTY = 'prop:';

export const isProperty = (dimension: Dimension): dimension is `prop:${string}` =>
  dimension.startsWith(PROPERTY);

export const propertyOf = (dimension: `prop:${string}`): string => dimension.slice(PROPERTY.length);

export function dimensionOf(text: string): Dimension | undefined {
  if (text.length > PROPERTY.length && text.startsWith(PROPERTY)) {
    return `${PROPERTY}${text.slice(PROPERTY.length)}`;
  }
  return [...FILTER_FIELDS, 'arm' as const].find((name) => name === text);
}

export function filtersOf(parameters: Parameters): Filter[] {
  const filters = FILTER_FIELDS.flatMap((dimension): Filter[] => {
    const value = parameters[dimension];
    return value ? [{ dimension, operator: 'is', value }] : [];
  });
  const { property = '' } = parameters;
  const end = property.indexOf('=');
  if (end < 1) return filters;
  const dimension = `${PROPERTY}${property.slice(0, end)}` as const;
  return [...filters, { dimension, operator: 'is', value: property.slice(end + 1) }];
}

export type FilterQuery = { [Name in FilterField | 'property']?: string };

/** One value a field, and one property. */
export function filterQuery(filters: readonly Filter[]): FilterQuery {
  const query: FilterQuery = {};
  for (const { dimension, value } of filters) {
    if (isProperty(dimension)) query.property = `${propertyOf(dimension)}=${value}`;
    else if (dimension !== 'arm') query[dimension] = value;
  }
  return query;
}

export function withFilter(filters: readonly Filter[], added: Filter): Filter[] {
  const isReplaced = ({ dimension }: Filter) =>
    dimension === added.dimension || (isProperty(dimension) && isProperty(added.dimension));
  return [...filters.filter((filter) => !isReplaced(filter)), added];
}

export const saidOf = ({ dimension, operator, value }: Filter): Said => ({
  field: dimension,
  operator,
  values: [value],
});

/** Undefined where conditions are more than one value of each field. */
export function filtersIn(conditions: Conditions | undefined): Filter[] | undefined {
  const { word, parts } = whereOf(conditions);
  const filters = parts.flatMap((part): Filter[] => {
    if (isGroup(part) || part.operator !== 'is') return [];
    const dimension = dimensionOf(part.field);
    const [value] = part.values;
    return dimension && value !== undefined ? [{ dimension, operator: 'is', value }] : [];
  });
  return word === 'all' && filters.length === parts.length ? filters : undefined;
}
