import { type Static, Type } from '@sinclair/typebox';
import { CONTEXT_FIELDS } from '../../shared/event-fields.ts';
import { Named, Nullable, OneOf, Tolerant } from '../../shared/schema.ts';
import { DeviceText } from '../../shared/text.ts';

/** OpenFeature's remote evaluation protocol 0.3; its document is in `test/fixtures/ofrep`. */

export const EvaluationRequest = Tolerant(
  {
    context: Tolerant(
      {
        targetingKey: Type.Optional(
          DeviceText(0, 256, {
            description: 'Needed: the person, as `anonymousId` in events; percentages go by it.',
          }),
        ),
      },
      {
        title: 'EvaluationContext',
        description: `${CONTEXT_FIELDS.join(', ')} as events have them; anything else is read by \`prop:NAME\`.`,
      },
    ),
  },
  {
    title: 'EvaluationRequest',
    examples: [
      {
        context: {
          targetingKey: '0f8a1c52-7d0f-4d5e-9b1a-2f6c3f1f9a10',
          platform: 'ios',
          appVersion: '1.4.0',
        },
      },
    ],
  },
);
export type EvaluationRequest = Static<typeof EvaluationRequest>;

/** `DISABLED` loses the value in Go; there is no `DEFAULT`. */
export const REASONS = ['STATIC', 'TARGETING_MATCH', 'SPLIT', 'UNKNOWN'] as const;
export type Reason = (typeof REASONS)[number];

export const Evaluation = Named('FlagEvaluation', {
  key: Type.String(),
  value: Type.Unknown(),
  reason: OneOf(REASONS, {
    description:
      'STATIC: the flag is off or has no rules. TARGETING_MATCH, SPLIT: a rule applied. UNKNOWN: none did.',
  }),
  variant: Type.String(),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      description: '`experiment` and `arm`, where a running experiment decides.',
    }),
  ),
});
export type Evaluation = Static<typeof Evaluation>;

export const Evaluations = Named('FlagEvaluations', {
  flags: Type.Array(Evaluation, { description: 'All flags of the app, by their keys.' }),
});

export const Attribute = Nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()]));
export type Attribute = Static<typeof Attribute>;
