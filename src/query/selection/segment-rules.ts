import { type Static, Type } from '@sinclair/typebox';
import { Nullable, OneOf } from '../../shared/schema.ts';
import { AS_OF, Conditions } from './conditions.ts';

export const MAX_LISTED_PEOPLE = 500_000;

const Micros = Type.Integer();
const Count = Type.Integer({ minimum: 0 });

const Did = Type.Object({
  kind: Type.Literal('did'),
  /** Any of clients when null. */
  names: Nullable(Type.Array(Type.String(), { minItems: 1 })),
  where: Type.Optional(Conditions),
  least: Count,
  most: Nullable(Count),
  fromUs: Nullable(Micros),
  beforeUs: Type.Optional(Micros),
  /** Before each moment, in place of `fromUs`, where a rule is asked about several. */
  withinUs: Type.Optional(Micros),
});

const FirstSeen = Type.Object({
  kind: Type.Literal('firstSeen'),
  fromUs: Nullable(Micros),
  beforeUs: Nullable(Micros),
  withinUs: Type.Optional(Micros),
});

const First = Type.Object({ kind: Type.Literal('first'), where: Conditions });

const InArm = Type.Object({
  kind: Type.Literal('arm'),
  is: Type.Boolean(),
  experimentId: Type.String(),
  armId: Type.String(),
  exposedFromUs: Micros,
});

const Listed = Type.Object({
  kind: Type.Literal('listed'),
  is: Type.Boolean(),
  people: Type.Array(Type.String(), { maxItems: MAX_LISTED_PEOPLE }),
});

const ByRule = Type.Object({
  kind: Type.Literal('rule'),
  is: Type.Boolean(),
  rule: Type.Integer({ minimum: 0 }),
});

export const SegmentClause = Type.Union([Did, FirstSeen, First, InArm, Listed, ByRule]);
export type SegmentClause = Static<typeof SegmentClause>;

export const SegmentRules = Type.Array(
  Type.Object({
    match: OneOf(['all', 'any']),
    clauses: Type.Array(SegmentClause, { minItems: 1 }),
  }),
  { minItems: 1 },
);
export type SegmentRules = Static<typeof SegmentRules>;

export const Memberships = Type.Array(
  Type.Object({
    id: Type.String(),
    asOf: OneOf(AS_OF),
    beforeUs: Micros,
    rules: SegmentRules,
  }),
);
export type Membership = Static<typeof Memberships>[number];
