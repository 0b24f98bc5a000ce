import { type Static, Type } from '@sinclair/typebox';
import { MAX_FUNNEL_STEPS } from '../../query/funnel/model.ts';
import { MAX_SERIES_NAMES } from '../../query/series/model.ts';
import { Author } from '../../shared/author.ts';
import { SavedInApp } from '../../shared/saved.ts';
import { DateTime, Named, Nullable, OneOf } from '../../shared/schema.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';

export const WATCHES_PER_APP_MAX = 20;
/** Looks that a history shows. */
export const MAX_LOOKS = 100;

const STRICT = { additionalProperties: false };

export const WatchFigure = Type.Union(
  [
    Type.Object(
      {
        of: OneOf(['people', 'events']),
        series: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX_SERIES_NAMES,
            description: 'Which of the series, from 1; a breakdown is left out.',
            default: 1,
          }),
        ),
      },
      STRICT,
    ),
    Type.Object(
      {
        of: OneOf(['conversion']),
        step: Type.Optional(
          Type.Integer({
            minimum: 2,
            maximum: MAX_FUNNEL_STEPS,
            description: 'From step 1 to this one; the last when left out.',
          }),
        ),
      },
      STRICT,
    ),
    Type.Object({ of: OneOf(['value']) }, STRICT),
  ],
  {
    title: 'WatchFigure',
    description:
      'people or events of a series, the conversion of a funnel (0.1 is ten percent), the value of measures.',
    rule: 'must be a figure: people or events of a series, conversion of a funnel, value of measures',
  },
);
export type WatchFigure = Static<typeof WatchFigure>;

export const WatchRule = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal('threshold'),
        side: OneOf(['above', 'below']),
        value: Type.Number({ minimum: -1e15, maximum: 1e15 }),
      },
      STRICT,
    ),
    Type.Object(
      {
        kind: Type.Literal('change'),
        side: Type.Optional(OneOf(['above', 'below', 'either'], { whenLeftOut: 'either' })),
      },
      STRICT,
    ),
  ],
  {
    title: 'WatchRule',
    description: `threshold: above or below a value. change: beyond chance against the same weekday of the weeks before; never of fewer than ${MINIMUM_PEOPLE} people.`,
    rule: 'must be a rule of the kind threshold or change',
  },
);
export type WatchRule = Static<typeof WatchRule>;

const VERDICTS = ['beyond', 'within', 'too_few_people', 'too_short_a_past'] as const;

export const WatchLook = Named('WatchLook', {
  from: DateTime,
  to: DateTime,
  value: Nullable(Type.Number()),
  people: Type.Integer({ minimum: 0, description: 'Distinct people behind the value.' }),
  usual: Nullable(
    Type.Number({ description: 'What the same weekday had before; null of a threshold.' }),
  ),
  verdict: OneOf(VERDICTS, {
    description: 'too_few_people and too_short_a_past change no state.',
  }),
  told: Nullable(OneOf(['began', 'over'], { description: 'A change of the state, told once.' })),
  lookedAt: DateTime,
});
export type WatchLook = Static<typeof WatchLook>;

const EXAMPLE = {
  questionId: 'qst_01kajw5g3me7t8q2w4r6y9b1cd',
  figure: { of: 'people' },
  rule: { kind: 'change', side: 'below' },
};
export const Watch = SavedInApp('Watch', {
  questionId: Type.String(),
  figure: WatchFigure,
  rule: WatchRule,
  owner: Author,
  state: OneOf(['waiting', 'quiet', 'beyond'], {
    description: 'waiting: no interval was judged yet. beyond: told, and not over yet.',
  }),
  since: Nullable(
    Type.String({
      format: 'date-time',
      description: 'End of the interval with which the state began.',
    }),
  ),
  last: Nullable(WatchLook),
  error: Nullable(Type.String({ description: 'Why the last look gave no answer.' })),
});
export type Watch = Static<typeof Watch>;

export const NewWatch = Named(
  'NewWatch',
  {
    questionId: Type.String({ minLength: 1, maxLength: 64 }),
    figure: WatchFigure,
    rule: WatchRule,
  },
  { examples: [EXAMPLE] },
);
export type NewWatch = Static<typeof NewWatch>;

export const WatchChange = Type.Partial(Type.Object({ figure: WatchFigure, rule: WatchRule }), {
  title: 'WatchChange',
  minProperties: 1,
  examples: [{ rule: { kind: 'threshold', side: 'below', value: 100 } }],
});
export type WatchChange = Static<typeof WatchChange>;

export const WatchHistory = Type.Array(WatchLook, { maxItems: MAX_LOOKS });
