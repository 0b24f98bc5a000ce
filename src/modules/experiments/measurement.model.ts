import { FIELD_RULES } from '../../shared/field-rules.ts';
import { type Static, Type } from '@sinclair/typebox';
import { MAX_METRICS } from '../../query/experiment/model.ts';
import { Author } from '../../shared/author.ts';
import { DateTime, Nullable, OneOf } from '../../shared/schema.ts';
import { Name } from '../../shared/text.ts';
import { FunnelSteps, FunnelWhere } from '../funnels/index.ts';

export const DEFAULT_WINDOW_HOURS = 72;
export const DEFAULT_MARGIN = 0.1;
export const DEFAULT_CAP_PERCENTILE = 99.9;

const CLOSED = { additionalProperties: false };

const WindowHours = Type.Integer({
  minimum: 1,
  maximum: 720,
  description: 'How long after the exposure what a person does counts.',
});
const Margin = Type.Number({
  minimum: 0.01,
  maximum: 1,
  description:
    'A difference smaller than this share of the control arm’s figure does not matter: 0.1 is a tenth more or less.',
});
const CapPercentile = Type.Union([Type.Literal(99.9), Type.Literal(99), Type.Literal(95)], {
  description:
    'What a person paid counts up to this percentile of those who paid, of all arms together. A lower one decides sooner, and says less of the largest payers.',
});
const Role = OneOf(['deciding', 'guardrail'], {
  description:
    'Deciding metrics share the 5 % of false winners; a guardrail only warns when it gets worse.',
});
const Better = OneOf(['higher', 'lower']);
const Kind = OneOf(['event', 'trial', 'revenue'], {
  description:
    '`event`: the share of people who did it. `trial`: the share who started a free trial. `revenue`: what a person paid, net of refunds, capped at `capPercentile`.',
});
const Event = Type.String(FIELD_RULES.eventName);

const NewMetric = Type.Object(
  {
    name: Name(1, 80),
    kind: Kind,
    event: Type.Optional(Event),
    where: Type.Optional(FunnelWhere),
    role: Type.Optional(Role),
    better: Type.Optional(Better),
  },
  CLOSED,
);

export const NewMeasurement = Type.Partial(
  Type.Object({
    windowHours: WindowHours,
    margin: Margin,
    capPercentile: CapPercentile,
    metrics: Type.Array(NewMetric, { maxItems: MAX_METRICS }),
  }),
  { ...CLOSED, description: 'What the report measures; fixed once the experiment has run.' },
);
export type NewMeasurement = Static<typeof NewMeasurement>;

export const Metric = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind: Kind,
    event: Nullable(Type.String()),
    where: Nullable(FunnelWhere),
    role: Role,
    better: Better,
  },
  { title: 'ExperimentMetric' },
);
export type Metric = Static<typeof Metric>;

export const Measurement = Type.Object(
  {
    windowHours: WindowHours,
    margin: Margin,
    capPercentile: CapPercentile,
    metrics: Type.Array(Metric),
    funnel: Nullable(
      Type.Object(
        { id: Type.String(), steps: FunnelSteps },
        { description: 'The default funnel as it was at the start; null before, and without one.' },
      ),
    ),
  },
  { title: 'ExperimentMeasurement' },
);
export type Measurement = Static<typeof Measurement>;

export const DEFAULT_MEASUREMENT: Measurement = {
  windowHours: DEFAULT_WINDOW_HOURS,
  margin: DEFAULT_MARGIN,
  capPercentile: DEFAULT_CAP_PERCENTILE,
  metrics: [],
  funnel: null,
};

export const Shipped = Type.Object(
  {
    armId: Type.String(),
    at: DateTime,
    by: Type.Object(Author.properties, {
      description: 'Who made the arm’s onboarding the default.',
    }),
  },
  { title: 'ShippedArm' },
);
export type Shipped = Static<typeof Shipped>;
