import { foldCountry } from '../../event-store/append.ts';
import type { EventFilters } from '../../query/selection/filters.ts';
import { FILTER_FIELDS } from '../../shared/event-fields.ts';
import type { FilterParameters } from './read.model.ts';

function parseProperty(text: string) {
  const end = text.indexOf('=');
  return { prop: text.slice(0, end), equals: text.slice(end + 1) };
}

export function toFilters({ property, ...parameters }: FilterParameters): EventFilters {
  const filters: EventFilters = {};
  for (const field of FILTER_FIELDS) {
    const value = parameters[field];
    if (value !== undefined) filters[field] = field === 'country' ? foldCountry(value) : value;
  }
  return property === undefined ? filters : { ...filters, property: parseProperty(property) };
}
