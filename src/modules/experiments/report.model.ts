import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf } from '../../shared/schema.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import { VERDICTS } from '../../shared/statistics/verdict.ts';
import { Answer, MeasuredReport } from './comparison/answer.model.ts';
import { Arm, ExperimentStatus } from './model.ts';

const Count = Type.Integer({ minimum: 0 });
const Rate = Nullable(Type.Number({ minimum: 0, maximum: 1 }));

export const ArmFigures = Type.Composite(
  [
    Arm,
    Type.Object({
      people: Type.Integer({ minimum: 0, description: 'Exposed to this arm and no other.' }),
      verdict: OneOf(VERDICTS),
      converted: Nullable({
        ...Count,
        description: 'Went through the funnel; its last step came after the exposure.',
      }),
      rate: Rate,
      rateLow: Rate,
      rateHigh: Rate,
    }),
  ],
  { title: 'ExperimentArmFigures' },
);
export type ArmFigures = Static<typeof ArmFigures>;

export const ExperimentReport = Named('ExperimentReport', {
  experimentId: Type.String(),
  appId: Type.String(),
  name: Type.String(),
  status: ExperimentStatus,
  funnelId: Nullable(Type.String()),
  window: Type.Object({ from: DateTime, to: DateTime }),
  conversionWindowHours: Type.Integer(),
  people: Count,
  mixedPeople: Type.Integer({ minimum: 0, description: 'Saw two arms; counted in none.' }),
  minimumPeople: Type.Literal(MINIMUM_PEOPLE),
  sampleRatio: Type.Object({
    pValue: Rate,
    verdict: OneOf(['too_few_people', 'as_expected', 'do_not_trust']),
  }),
  arms: Type.Array(ArmFigures),
  notice: Type.Optional(
    OneOf(['nobody_entered_the_funnel'], {
      description:
        'Nobody who was exposed did step 1 of the funnel, so no arm has a rate: check that the app sends its first step, and which funnel is the default.',
    }),
  ),
  answer: Type.Optional(Answer),
  measured: Type.Optional(MeasuredReport),
  computedAt: DateTime,
  dataThrough: DateTime,
});
export type ExperimentReport = Static<typeof ExperimentReport>;
