import { Type } from '@sinclair/typebox';
import type { AppScope } from '../../shared/app.ts';
import { type EnvironmentScope, EnvironmentScopeField } from '../../shared/environment.ts';
import type { Conditions } from './conditions.ts';
import type { Dimension, Trait } from './dimension.ts';
import { type EventFilters, filterConditions } from './filters.ts';
import { type Membership, Memberships } from './segment-rules.ts';

/** All parts must hold. */
export type EventSelection = {
  environment?: EnvironmentScope | undefined;
  /** occurred_at in [fromUs, beforeUs), in microseconds since 1970. */
  fromUs?: number;
  beforeUs?: number;
  names?: readonly string[];
  /** Without the events that the service writes itself. */
  ofClients?: boolean;
  personIds?: readonly string[];
  filters?: EventFilters;
  where?: Conditions | undefined;
  breakdown?: Dimension | null;
  crossed?: Dimension | undefined;
};

export type AppSelection = AppScope &
  EventSelection & {
    beforeUs: number;
    /** Only files that can hold one of this many newest events. */
    newest?: number;
    memberships?: readonly Membership[] | undefined;
    traits?: readonly Trait[];
  };

export const OfApp = Type.Object({
  orgId: Type.String(),
  appId: Type.String(),
  environment: EnvironmentScopeField,
  memberships: Type.Optional(Memberships),
});

export const InWindow = Type.Composite([
  OfApp,
  Type.Object({ fromUs: Type.Integer(), beforeUs: Type.Integer() }),
]);

export const named = (
  names: readonly string[] | null,
): Pick<EventSelection, 'names' | 'ofClients'> => (names ? { names } : { ofClients: true });

export function conditionsOfEvents({
  filters = {},
  where,
}: Pick<EventSelection, 'filters' | 'where'>): Conditions[] {
  const filtered = filterConditions(filters);
  return [...(filtered ? [filtered] : []), ...(where ? [where] : [])];
}

export const isPlain = (selection: EventSelection): boolean =>
  !selection.breakdown &&
  selection.personIds === undefined &&
  conditionsOfEvents(selection).length === 0;
