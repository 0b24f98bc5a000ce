import { type Static, Type } from '@sinclair/typebox';
import { foldCountry } from '../../event-store/append.ts';
import type { EventFilters } from '../../query/selection/filters.ts';
import { onePattern, Text } from '../../shared/text.ts';

export const FilterParameters = Type.Object({
  platform: Type.Optional(Text(1, 40)),
  appVersion: Type.Optional(Text(1, 40)),
  country: Type.Optional(Text(1, 40)),
  property: Type.Optional(
    Type.String({
      pattern: `^${onePattern('=')}{1,64}=${onePattern()}{0,200}$`,
      description:
        'NAME=VALUE of a property: a string by its characters, a number by its shortest decimal form, a boolean as true or false.',
    }),
  ),
});
export type FilterParameters = Static<typeof FilterParameters>;

function propertyOf(text: string) {
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
    ...(property !== undefined && { property: propertyOf(property) }),
  };
}
