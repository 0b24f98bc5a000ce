import { FIELD_RULES } from '../../shared/field-rules.ts';
import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf, parser, Tolerant } from '../../shared/schema.ts';
import { Name, Text } from '../../shared/text.ts';
import { Measurement, NewMeasurement, Shipped } from './measurement.model.ts';

export const MAX_EXPERIMENTS_PER_APP = 200;

/** Arms are stored as given. */
const CLOSED = { additionalProperties: false };
const ARM_COUNT = { minItems: 2, maxItems: 6 };

const ArmFields = {
  name: Name(1, 80),
  weight: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'Share of people in proportion to the sum of all weights.',
  }),
  onboardingId: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Of every arm, or of none: then rules of flags give the arms their values.',
    }),
  ),
};

const Percent = Type.Number({ minimum: 0, maximum: 100, description: 'In hundredths.' });
export const Layer = Type.Object(
  {
    name: Type.String(FIELD_RULES.layerName),
    fromPercent: Percent,
    toPercent: Percent,
  },
  {
    ...CLOSED,
    title: 'ExperimentLayer',
    description:
      'Nobody is in two experiments of a layer; each takes a part of its people, which is nobody else’s while it runs.',
  },
);
export type Layer = Static<typeof Layer>;

export const Arm = Named('ExperimentArm', { id: Type.String(), ...ArmFields });
export type Arm = Static<typeof Arm>;

export const ExperimentStatus = OneOf(['draft', 'running', 'stopped']);
export type ExperimentStatus = Static<typeof ExperimentStatus>;

export const Experiment = Named('Experiment', {
  id: Type.String(),
  appId: Type.String(),
  name: Type.String(),
  status: ExperimentStatus,
  arms: Type.Array(Arm),
  layer: Nullable(Layer),
  createdAt: DateTime,
  startedAt: Nullable(DateTime),
  stoppedAt: Nullable(DateTime),
  measurement: Measurement,
  shipped: Nullable(Shipped),
});
export type Experiment = Static<typeof Experiment>;

export const isOfFlags = (arms: readonly Pick<Arm, 'onboardingId'>[]): boolean =>
  arms.every(({ onboardingId }) => onboardingId === undefined);

export const CreateExperimentBody = Named(
  'NewExperiment',
  {
    name: Name(1, 80),
    arms: Type.Array(Type.Object(ArmFields, CLOSED), ARM_COUNT),
    layer: Type.Optional(Layer),
    measurement: Type.Optional(NewMeasurement),
  },
  {
    examples: [
      {
        name: 'Short or long onboarding',
        arms: [
          { name: 'long', weight: 1, onboardingId: 'onb_01kajw5g3me7t8q2w4r6y9b1cd' },
          { name: 'short', weight: 1, onboardingId: 'onb_01kajw5h4ne8v9r3x5s7z0c2de' },
        ],
      },
    ],
  },
);
export type CreateExperimentInput = Static<typeof CreateExperimentBody>;

export const ChangeExperimentBody = Type.Partial(
  Type.Object({
    name: Name(1, 80),
    status: OneOf(['running', 'stopped']),
    arms: Type.Array(
      Type.Object({ id: Type.Optional(Type.String({ maxLength: 64 })), ...ArmFields }, CLOSED),
      ARM_COUNT,
    ),
    layer: Nullable(Layer),
    measurement: NewMeasurement,
  }),
  { title: 'ExperimentChange', examples: [{ status: 'running' }], minProperties: 1 },
);
export type ChangeExperimentInput = Static<typeof ChangeExperimentBody>;

export const MAX_OVERRIDES = 100;

/** As in events of the device. */
const AnonymousId = Text(8, 128);
const anonymousIds = parser(AnonymousId, 'anonymous id');
export const isAnonymousId = (id: string): boolean => anonymousIds.check(id);

const OverrideFields = {
  anonymousId: Text(8, 128, { description: 'The device, as it names itself in events.' }),
  armId: Type.String({ maxLength: 64 }),
};
export const OverrideBody = Named('NewExperimentOverride', OverrideFields, {
  examples: [
    {
      anonymousId: '0f8a1c52-7d0f-4d5e-9b1a-2f6c3f1f9a10',
      armId: 'arm_01kajw5j4ne8v9r3x5s7z0c2de',
    },
  ],
});
export type OverrideInput = Static<typeof OverrideBody>;
export const OverrideQuery = Type.Object({ anonymousId: OverrideFields.anonymousId });
export const Override = Type.Object(
  { ...OverrideFields, createdAt: DateTime },
  { title: 'ExperimentOverride' },
);
export type Override = Static<typeof Override>;

export const ShipBody = Named(
  'ShipExperimentArmBody',
  { armId: OverrideFields.armId },
  { examples: [{ armId: 'arm_01kajw5j4ne8v9r3x5s7z0c2de' }] },
);

export const AssignmentQuery = Tolerant({ anonymousId: AnonymousId });

export const Assignment = Named('ExperimentAssignment', {
  onboarding: Nullable(
    Type.Object({ id: Type.String(), name: Type.String(), config: Type.Unknown() }),
  ),
  arm: Nullable(
    Type.Object({
      experimentId: Type.String(),
      experimentName: Type.String(),
      armId: Type.String(),
      armName: Type.String(),
    }),
  ),
});
export type Assignment = Static<typeof Assignment>;
