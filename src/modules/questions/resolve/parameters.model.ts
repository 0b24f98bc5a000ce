import { type Static, Type } from '@sinclair/typebox';
import { filterConditions } from '../../../query/selection/filters.ts';
import { MAX_SERIES_NAMES } from '../../../query/series/model.ts';
import { QueryInteger } from '../../../shared/schema.ts';
import { type FilterParameters, toFilters } from '../../events/index.ts';
import type { Selection } from './selection.model.ts';
import { windowParameters } from './window.model.ts';

export const WindowParameters = Type.Object(
  windowParameters({
    description:
      'Whole local days before today; today comes on top, as far as it is over. Not together with from and to.',
  }),
);

export const DEFAULT_PAGE = 100;

export const PageParameters = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 1_024 })),
  limit: Type.Optional(QueryInteger(1, 1_000, { whenLeftOut: DEFAULT_PAGE })),
});
export type PageParameters = Static<typeof PageParameters>;

const NAME = '[a-z][a-z0-9_]{0,63}';

export const NameParameter = (description: string) =>
  Type.String({ pattern: `^${NAME}$`, description });

export const NamesParameter = Type.String({
  pattern: `^${NAME}(,${NAME}){0,${MAX_SERIES_NAMES - 1}}$`,
  description: `Names of events, up to ${MAX_SERIES_NAMES}, with commas between; a series each. All events of clients when left out.`,
});

export const Hint = Type.Optional(
  Type.String({
    description:
      'What the question names and the app never sent (an event, a property, a value), with the nearest that it did send.',
  }),
);

/** Which events the parameters mean. */
export function toSelection(query: FilterParameters & { name?: string }) {
  const filters = toFilters(query);
  const where = filterConditions(filters);
  const { name } = query;
  const selection: Selection = {
    ...(name !== undefined && { events: [name] }),
    ...(where && { where }),
  };
  return { selection, filters };
}
