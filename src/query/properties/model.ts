import { type Static, Type } from '@sinclair/typebox';
import { EnvironmentScopeField } from '../../shared/environment.ts';
import { Nullable, OneOf } from '../../shared/schema.ts';

/** Events looked at, those received last. */
export const MAX_PROPERTY_EVENTS = 100_000;
export const MAX_PROPERTIES = 200;
export const MAX_PROPERTY_VALUES = 10;

const PROPERTY_TYPES = ['string', 'number', 'boolean', 'null'] as const;

const Count = Type.Integer({ minimum: 0 });

/** Which properties an event has. Times are microseconds. */
export const PropertiesQuestion = Type.Object({
  orgId: Type.String(),
  appId: Type.String(),
  environment: EnvironmentScopeField,
  /** All events of clients when null. */
  name: Nullable(Type.String()),
  fromUs: Type.Integer(),
  beforeUs: Type.Integer(),
});
export type PropertiesQuestion = Static<typeof PropertiesQuestion>;

export const PropertiesAnswer = Type.Object({
  dataThroughMs: Type.Number(),
  /** How many events were looked at. */
  events: Count,
  /** Most events first. */
  properties: Type.Array(
    Type.Object({
      name: Type.String(),
      events: Count,
      types: Type.Array(OneOf(PROPERTY_TYPES)),
      values: Type.Array(Type.Object({ value: Type.String(), events: Count })),
    }),
  ),
});
export type PropertiesAnswer = Static<typeof PropertiesAnswer>;
