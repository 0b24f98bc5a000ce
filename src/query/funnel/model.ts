import { type Static, Type } from '@sinclair/typebox';
import { Nullable } from '../../shared/schema.ts';
import { Conditions } from '../selection/conditions.ts';
import { BrokenDown, Dimension } from '../selection/dimension.ts';
import { EventFilters, PropertyMatch } from '../selection/filters.ts';
import { Selected } from '../selection/selected.ts';
import { OfApp } from '../selection/selection.ts';

export const MAX_FUNNEL_STEPS = 12;

const Microseconds = Type.Integer();
const Count = Type.Integer({ minimum: 0 });

export const EventStep = Type.Object({
  event: Type.String(),
  where: Type.Optional(PropertyMatch),
});

export const Step = Type.Union([EventStep, Selected]);
export type Step = Static<typeof Step>;

/** Events that must not happen between two steps, by their indexes. */
const Exclusion = Type.Object({
  events: Selected,
  from: Type.Integer({ minimum: 0 }),
  to: Type.Integer({ minimum: 1 }),
});

export const FunnelRules = Type.Object({
  ...OfApp.properties,
  steps: Type.Array(Step, { minItems: 1, maxItems: MAX_FUNNEL_STEPS }),
  /** Step 1 falls into [fromUs, startBeforeUs). */
  fromUs: Microseconds,
  startBeforeUs: Microseconds,
  windowUs: Microseconds,
  observedBeforeUs: Type.Optional(Microseconds),
  /** On the step-1 event of the counted path. */
  filters: EventFilters,
  where: Type.Optional(Conditions),
  newPeopleOnly: Type.Optional(Type.Boolean()),
  /** However often they came back. */
  firstStartOnly: Type.Optional(Type.Boolean()),
  exclusions: Type.Optional(Type.Array(Exclusion)),
  /** Nothing else of clients happens between the steps. */
  isStrict: Type.Optional(Type.Boolean()),
  /** Steps may come in any order; without exclusions and arms. */
  isAnyOrder: Type.Optional(Type.Boolean()),
});
export type FunnelRules = Static<typeof FunnelRules>;

/** The rule is in `arm-rule.ts`. */
const ArmBreakdown = Type.Object({
  kind: Type.Literal('arm'),
  experimentId: Type.String(),
  exposedFromUs: Microseconds,
  exposedOnly: Type.Boolean(),
  /** Last steps received later than this after the exposure close nothing. */
  horizonUs: Type.Optional(Microseconds),
});
export type ArmBreakdown = Static<typeof ArmBreakdown>;

export const FunnelBreakdownBy = Type.Union([Dimension, ArmBreakdown]);
export type FunnelBreakdownBy = Static<typeof FunnelBreakdownBy>;

export const FunnelQuestion = Type.Composite([
  FunnelRules,
  Type.Object({
    breakdown: Nullable(FunnelBreakdownBy),
    trendFromUs: Nullable(Type.Array(Microseconds)),
    isDistributed: Type.Optional(Type.Boolean()),
  }),
]);
export type FunnelQuestion = Static<typeof FunnelQuestion>;

const Medians = Type.Array(Nullable(Type.Number()));

export const GroupTally = Type.Object({
  people: Type.Array(Count),
  medianSecondsFromPrevious: Medians,
  medianSecondsFromStart: Medians,
});
export type GroupTally = Static<typeof GroupTally>;

export const ConversionTimes = Type.Array(
  Type.Object({
    fromSeconds: Type.Number(),
    /** Not included, but in the last one. */
    toSeconds: Type.Number(),
    people: Count,
  }),
);
export type ConversionTimes = Static<typeof ConversionTimes>;

export const FunnelAnswer = Type.Object({
  dataThroughMs: Type.Number(),
  total: GroupTally,
  maturePeople: Count,
  breakdown: Nullable(
    Type.Array(Type.Object({ value: Nullable(Type.String()), tally: GroupTally })),
  ),
  trend: Nullable(
    Type.Array(Type.Object({ fromUs: Microseconds, people: Count, finished: Count })),
  ),
  distribution: Type.Optional(ConversionTimes),
  brokenDown: Type.Optional(BrokenDown),
});
export type FunnelAnswer = Static<typeof FunnelAnswer>;

export const FunnelPeopleQuestion = Type.Composite([
  FunnelRules,
  Type.Object({
    step: Type.Integer({ minimum: 1, maximum: MAX_FUNNEL_STEPS }),
    dropped: Type.Boolean(),
    after: Nullable(Type.String()),
    limit: Type.Integer({ minimum: 1, maximum: 1_000 }),
  }),
]);
export type FunnelPeopleQuestion = Static<typeof FunnelPeopleQuestion>;

export const FunnelPeopleAnswer = Type.Object({
  dataThroughMs: Type.Number(),
  entered: Count,
  people: Type.Array(Type.Object({ personId: Type.String(), reachedAtUs: Microseconds })),
  hasMore: Type.Boolean(),
});
export type FunnelPeopleAnswer = Static<typeof FunnelPeopleAnswer>;

export function stepsBeforeUs({ startBeforeUs, windowUs, observedBeforeUs }: FunnelRules): number {
  return Math.min(startBeforeUs + windowUs, observedBeforeUs ?? Infinity);
}
