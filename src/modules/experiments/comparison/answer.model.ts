import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Nullable, OneOf } from '../../../shared/schema.ts';
import { Metric } from '../measurement.model.ts';

/** A full week: people of a Sunday differ from those of a Monday. */
export const MINIMUM_DAYS = 7;

const Count = Type.Integer({ minimum: 0 });
const NumberOrNull = Nullable(Type.Number());

const ArmMean = Type.Object({
  armId: Type.String(),
  people: Count,
  total: Nullable(
    Type.Number({ description: 'People who did it, or what they paid in minor units.' }),
  ),
  mean: Nullable(Type.Number({ description: 'Per person; null under fifty people.' })),
  low: Nullable(
    Type.Number({ description: 'Of a share of people, its Wilson 95 % interval; null of money.' }),
  ),
  high: NumberOrNull,
});

export const Difference = Type.Object(
  {
    armId: Type.String(),
    difference: NumberOrNull,
    low: NumberOrNull,
    high: NumberOrNull,
    relative: Nullable(
      Type.Number({ description: 'The difference as a share of the control arm’s figure.' }),
    ),
    verdict: OneOf(['better', 'worse', 'no_difference', 'not_decided']),
    morePeople: Nullable(
      Type.Integer({
        description:
          'About how many more people of both arms it takes until it is decided; null when it is, and when nobody can say.',
      }),
    ),
  },
  {
    title: 'ArmDifference',
    description:
      'Arm less control. The interval is a confidence sequence: it holds however often one looks.',
  },
);
export type Difference = Static<typeof Difference>;

export const MeasuredMetric = Type.Composite(
  [
    Type.Omit(Metric, ['where', 'event', 'kind']),
    Type.Object({
      kind: OneOf(['funnel', 'event', 'trial', 'revenue']),
      alpha: Type.Number({ description: 'Of each interval: 5 % ÷ ((arms − 1) × metrics).' }),
      arms: Type.Array(ArmMean),
      differences: Type.Array(Difference),
    }),
  ],
  { title: 'MeasuredMetric' },
);
export type MeasuredMetric = Static<typeof MeasuredMetric>;

export const MeasuredReport = Type.Object(
  {
    windowHours: Type.Integer(),
    margin: Type.Number(),
    minimumDays: Type.Literal(MINIMUM_DAYS),
    fullDays: Type.Integer({ minimum: 0 }),
    people: Type.Integer({ minimum: 0, description: 'Whose conversion window is over.' }),
    overriddenPeople: Type.Integer({
      minimum: 0,
      description: 'Shown an arm by hand; counted in none.',
    }),
    exposedBefore: DateTime,
    controlArmId: Type.String(),
    metrics: Type.Array(MeasuredMetric),
    revenue: Nullable(
      Type.Object({
        currency: Type.String(),
        capPercentile: Type.Number(),
        capMinor: Nullable(
          Type.Number({ description: 'That percentile of what those who paid have paid.' }),
        ),
        cappedPeople: Type.Integer({
          minimum: 0,
          description: 'Who paid more, and counts with the cap.',
        }),
        purchases: Count,
        joined: Type.Integer({
          minimum: 0,
          description: 'Those whose buyer is known by name; the others count for nobody.',
        }),
        unconverted: Type.Integer({
          minimum: 0,
          description: 'Without a price, or without an exchange rate of their day.',
        }),
      }),
    ),
  },
  {
    title: 'MeasuredReport',
    description:
      'People with an exposure, in one arm only, not overridden by hand, whose conversion window is over.',
  },
);
export type MeasuredReport = Static<typeof MeasuredReport>;

export const Answer = Type.Object(
  {
    verdict: OneOf(['ahead', 'not_decided', 'no_difference']),
    reason: Nullable(
      OneOf([
        'too_few_days',
        'too_few_people',
        'split_is_broken',
        'interval_too_wide',
        'metrics_disagree',
      ]),
    ),
    armId: Nullable(Type.String({ description: 'The arm that is ahead.' })),
    largest: Nullable(
      Type.Number({
        description:
          'With `no_difference`: no difference is larger than this share of the control arm’s figure.',
      }),
    ),
    morePeople: Nullable(Count),
    moreDays: Nullable(Count),
    worseGuardrails: Type.Array(Type.String(), { description: 'Names, of the arm ahead.' }),
    text: Type.String(),
  },
  { title: 'ExperimentAnswer' },
);
export type Answer = Static<typeof Answer>;
