import { type Static, Type } from '@sinclair/typebox';
import { EnvironmentScopeField } from '../../shared/environment.ts';
import { RecentAnswer } from '../recent/model.ts';

/** Where a page ends: the order of receipt of its last event. */
export const PersonCursor = Type.Object({
  arrival: Type.Integer(),
  batchIndex: Type.Integer(),
});
export type PersonCursor = Static<typeof PersonCursor>;

export const PersonQuestion = Type.Object({
  orgId: Type.String(),
  appId: Type.String(),
  personId: Type.String(),
  beforeUs: Type.Integer(),
  environment: EnvironmentScopeField,
  after: Type.Union([PersonCursor, Type.Null()]),
  limit: Type.Integer({ minimum: 1, maximum: 1_000 }),
});
export type PersonQuestion = Static<typeof PersonQuestion>;

export const PersonAnswer = Type.Object({
  events: Type.Array(Type.Composite([RecentAnswer.properties.events.items, PersonCursor])),
});
export type PersonAnswer = Static<typeof PersonAnswer>;
