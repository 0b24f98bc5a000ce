import { foldCountry } from '../../event-store/append.ts';
import type { EventFilters } from '../../query/selection/filters.ts';
import type { FilterParameters } from './read.model.ts';

function parseProperty(text: string) {
  const end = text.indexOf('=');
  return { prop: text.slice(0, end), equals: text.slice(end + 1) };
}

export function toFilters({
  platform,
  appVersion,
  country,
  property,
}: FilterParameters): EventFilters {
  return {
    ...(platform !== undefined && { platform }),
    ...(appVersion !== undefined && { appVersion }),
    ...(country !== undefined && { country: foldCountry(country) }),
    ...(property !== undefined && { property: parseProperty(property) }),
  };
}
