import { type Static, Type } from '@sinclair/typebox';
import { Nullable, OneOf } from '../../shared/schema.ts';
import { Conditions } from '../selection/conditions.ts';
import { InWindow, OfApp } from '../selection/selection.ts';

const Count = Type.Integer({ minimum: 0 });

/** More names than an app can mean; the least frequent are left out. */
export const MAX_NAMES = 2_000;

export const NamesQuestion = InWindow;
export type NamesQuestion = Static<typeof NamesQuestion>;

export const NamesAnswer = Type.Object({
  names: Type.Array(Type.String()),
});
export type NamesAnswer = Static<typeof NamesAnswer>;

export const MAX_PROPERTY_EVENTS = 100_000;
export const MAX_PROPERTIES = 200;
export const MAX_PROPERTY_VALUES = 10;

const PROPERTY_TYPES = ['string', 'number', 'boolean', 'null'] as const;

export const PropertiesQuestion = Type.Composite([
  InWindow,
  Type.Object({
    name: Nullable(Type.String()),
  }),
]);
export type PropertiesQuestion = Static<typeof PropertiesQuestion>;

export const PropertiesAnswer = Type.Object({
  dataThroughMs: Type.Number(),
  events: Count,
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

export const FirstEventQuestion = Type.Composite([
  InWindow,
  Type.Object({
    names: Nullable(Type.Array(Type.String(), { minItems: 1 })),
    where: Type.Optional(Conditions),
  }),
]);
export type FirstEventQuestion = Static<typeof FirstEventQuestion>;

export const FirstEventAnswer = Type.Object({ firstAtUs: Nullable(Type.Integer()) });
export type FirstEventAnswer = Static<typeof FirstEventAnswer>;

export const MAX_VERSIONS = 500;

export const VersionsQuestion = Type.Composite([
  OfApp,
  Type.Object({
    boundariesUs: Type.Array(Type.Integer(), { minItems: 2 }),
    minimumPeople: Type.Integer({ minimum: 1 }),
    minimumShare: Type.Number({ minimum: 0, maximum: 1 }),
  }),
]);
export type VersionsQuestion = Static<typeof VersionsQuestion>;

export const VersionsAnswer = Type.Object({
  versions: Type.Array(
    Type.Object({ appVersion: Type.String(), day: Type.Integer({ minimum: 0 }) }),
  ),
});
export type VersionsAnswer = Static<typeof VersionsAnswer>;
