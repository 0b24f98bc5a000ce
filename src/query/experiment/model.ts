import { type Static, Type } from '@sinclair/typebox';
import { FunnelRules, GroupTally, Step } from '../funnel/model.ts';

export const MAX_METRICS = 5;
export const MAX_PAYMENTS = 100_000;

const Count = Type.Integer({ minimum: 0 });

export const Metric = Step;
export type Metric = Static<typeof Metric>;

/** A purchase by a person; `amount` is net of refunds, in one currency. */
export const Payment = Type.Object({
  person: Type.String(),
  atUs: Type.Integer(),
  amount: Type.Number(),
  isTrial: Type.Boolean(),
});
export type Payment = Static<typeof Payment>;

const Measure = Type.Object({
  horizonUs: Type.Integer({ minimum: 1 }),
  events: Type.Array(Metric, { maxItems: MAX_METRICS }),
  payments: Type.Array(Payment, { maxItems: MAX_PAYMENTS }),
  capPercentile: Type.Number({ exclusiveMinimum: 0, maximum: 100 }),
});

/** The rule is in `funnel/arm-rule.ts`. Times are microseconds. */
export const ExperimentQuestion = Type.Composite([
  FunnelRules,
  Type.Object({
    experimentId: Type.String(),
    exposedFromUs: Type.Integer(),
    measure: Type.Optional(Measure),
  }),
]);
export type ExperimentQuestion = Static<typeof ExperimentQuestion>;

const Measured = Type.Object({
  exposedBeforeUs: Type.Integer(),
  arms: Type.Array(
    Type.Object({
      armId: Type.String(),
      people: Count,
      converted: Count,
      events: Type.Array(Count),
      trials: Count,
      revenue: Type.Object({
        payers: Count,
        sum: Type.Number(),
        squares: Type.Number(),
        capped: Count,
      }),
    }),
  ),
  cap: Type.Union([Type.Number(), Type.Null()]),
});
export type Measured = Static<typeof Measured>;

export const ExperimentAnswer = Type.Object({
  dataThroughMs: Type.Number(),
  mixedPeople: Count,
  overriddenPeople: Count,
  arms: Type.Array(
    Type.Object({
      armId: Type.String(),
      people: Count,
      funnel: Type.Union([GroupTally, Type.Null()]),
    }),
  ),
  measured: Type.Optional(Measured),
});
export type ExperimentAnswer = Static<typeof ExperimentAnswer>;
