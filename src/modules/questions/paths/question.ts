import { type Static, Type } from '@sinclair/typebox';
import { DEFAULT_PATH_NAMES, MAX_PATH_NAMES, PATH_DIRECTIONS } from '../../../query/paths/model.ts';
import { Named, OneOf, QueryInteger } from '../../../shared/schema.ts';
import { FilterParameters } from '../../events/index.ts';
import { NameParameter, WindowParameters } from '../resolve/parameters.model.ts';
import { Selection } from '../resolve/selection.model.ts';
import { Window } from '../resolve/window.model.ts';

const Direction = Type.Optional(
  OneOf(PATH_DIRECTIONS, { description: 'What came after it or before.', whenLeftOut: 'after' }),
);
const NAMED = 'Events named in each step; all others are one.';

export const PathsQuestion = Named(
  'PathsQuestion',
  {
    kind: Type.Literal('paths'),
    selection: Selection,
    direction: Direction,
    names: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_PATH_NAMES,
        description: NAMED,
      }),
    ),
    ...Window,
  },
  {
    additionalProperties: false,
    description: 'What comes directly beside the first event of the selection in each session.',
    examples: [
      { kind: 'paths', selection: { events: ['account_deleted'] }, direction: 'before', days: 90 },
    ],
  },
);
export type PathsQuestion = Static<typeof PathsQuestion>;

export const PathsQuery = Type.Composite([
  WindowParameters,
  FilterParameters,
  Type.Object({
    name: NameParameter('The event that paths begin with, or end with. Filters are of it.'),
    direction: Direction,
    names: Type.Optional(
      QueryInteger(1, MAX_PATH_NAMES, { description: NAMED, whenLeftOut: DEFAULT_PATH_NAMES }),
    ),
  }),
]);
export type PathsQuery = Static<typeof PathsQuery>;
