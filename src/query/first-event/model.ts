import { type Static, Type } from '@sinclair/typebox';
import { EnvironmentScopeField } from '../../shared/environment.ts';
import { Nullable } from '../../shared/schema.ts';
import { EventFilters } from '../filters.ts';

/** When the first event of a window occurred. Times are microseconds. */
export const FirstEventQuestion = Type.Object({
  orgId: Type.String(),
  appId: Type.String(),
  environment: EnvironmentScopeField,
  fromUs: Type.Integer(),
  beforeUs: Type.Integer(),
  /** All events of clients when null. */
  names: Nullable(Type.Array(Type.String(), { minItems: 1 })),
  filters: EventFilters,
});
export type FirstEventQuestion = Static<typeof FirstEventQuestion>;

export const FirstEventAnswer = Type.Object({ firstAtUs: Nullable(Type.Integer()) });
export type FirstEventAnswer = Static<typeof FirstEventAnswer>;
