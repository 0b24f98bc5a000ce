import { type Static, Type } from '@sinclair/typebox';
import { Nullable, OneOf } from '../../shared/schema.ts';
import { Conditions } from '../selection/conditions.ts';
import { EventFilters } from '../selection/filters.ts';
import { InWindow } from '../selection/selection.ts';

export const PATH_DIRECTIONS = ['after', 'before'] as const;

export const PATH_STEPS = 3;
export const MAX_PATH_NAMES = 20;
export const DEFAULT_PATH_NAMES = 8;
export const PATH_NODES = ['event', 'rest', 'end'] as const;

const Count = Type.Integer({ minimum: 0 });

export const PathsQuestion = Type.Object({
  ...InWindow.properties,
  names: Nullable(Type.Array(Type.String(), { minItems: 1 })),
  filters: EventFilters,
  where: Type.Optional(Conditions),
  direction: OneOf(PATH_DIRECTIONS),
  shown: Type.Integer({ minimum: 1, maximum: MAX_PATH_NAMES }),
});
export type PathsQuestion = Static<typeof PathsQuestion>;

const Counts = Type.Object({ sessions: Count, people: Count });

const Node = Type.Composite([
  Type.Object({
    kind: OneOf(PATH_NODES),
    name: Nullable(Type.String()),
  }),
  Counts,
]);
export type PathNode = Static<typeof Node>;

export const PathsAnswer = Type.Object({
  dataThroughMs: Type.Number(),
  sessions: Count,
  people: Count,
  steps: Type.Array(
    Type.Object({
      nodes: Type.Array(Node),
      /** From a node of the step nearer to the event; by place. None in the first step. */
      links: Type.Array(Type.Composite([Type.Object({ from: Count, to: Count }), Counts])),
    }),
  ),
});
export type PathsAnswer = Static<typeof PathsAnswer>;
