import { type Static, Type } from '@sinclair/typebox';
import { EnvironmentScopeField } from '../../shared/environment.ts';
import { Nullable } from '../../shared/schema.ts';

const Count = Type.Integer({ minimum: 0 });

export const SummaryQuestion = Type.Object({
  orgId: Type.String(),
  appId: Type.String(),
  /** `occurred_at` in [fromUs, beforeUs). */
  fromUs: Type.Integer(),
  beforeUs: Type.Integer(),
  environment: EnvironmentScopeField,
  /** Entries of each list at most, the largest. */
  limit: Type.Integer({ minimum: 1, maximum: 1_000 }),
});
export type SummaryQuestion = Static<typeof SummaryQuestion>;

export const SummaryAnswer = Type.Object({
  people: Count,
  events: Count,
  firstAtUs: Nullable(Type.Integer()),
  lastAtUs: Nullable(Type.Integer()),
  /** Most events first. */
  names: Type.Array(Type.Object({ value: Type.String(), events: Count, people: Count })),
  /** Most people first. */
  platforms: Type.Array(Type.Object({ value: Type.String(), people: Count })),
  versions: Type.Array(Type.Object({ value: Type.String(), people: Count })),
});
export type SummaryAnswer = Static<typeof SummaryAnswer>;
