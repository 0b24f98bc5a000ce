import { type Static, Type } from '@sinclair/typebox';
import { STORE_ENVIRONMENTS } from '../../../shared/environment.ts';
import { DateTime, Named, Nullable, OneOf, QueryInteger } from '../../../shared/schema.ts';
import { Text } from '../../../shared/text.ts';

const ANSWERS = ['off', 'neutral', 'decline', 'grant'] as const;
export const AnswerMode = OneOf(ANSWERS, {
  description:
    '`off`: the store hears nothing. `neutral`: what was used, and no wish; `decline`: please not; `grant`: please, of a part that was used the rest (no wish at Google Play, which gives back all or nothing).',
});
export type AnswerMode = Static<typeof AnswerMode>;

const MAX_RULES = 200;
export const MAX_PEOPLE = 1_000;

export const RefundProduct = Named(
  'RefundProduct',
  {
    productId: Text(1, 256),
    used: OneOf(['none', 'part', 'full', 'events'], {
      description:
        'How much of a purchase counts as used: nothing, half, all, or by the events of the customer since. Of a product without a rule the store is told nothing.',
    }),
    eventName: Type.Optional(Text(1, 64, { description: 'Of `events`: one for each use.' })),
    uses: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: 1_000_000 },
        description: 'Of `events`: how many uses one purchase has.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type RefundProduct = Static<typeof RefundProduct>;

const SETTINGS = {
  answers: AnswerMode,
  customersConsent: Type.Boolean({
    description:
      'That the customers of the app consented to their use being told to the store. Without it nothing is sent, whatever `answers` says.',
  }),
  sampleContentProvided: Type.Boolean({
    description: 'Whether customers could try it before they bought it.',
  }),
  products: Type.Array(RefundProduct, { maxItems: MAX_RULES }),
};

export const RefundPerson = Named('RefundAnswersOfPerson', {
  userId: Text(1, 128),
  answers: Nullable(AnswerMode),
  customersConsent: Nullable(Type.Boolean()),
});
export type RefundPerson = Static<typeof RefundPerson>;

export const RefundAnswers = Named('RefundAnswers', {
  ...SETTINGS,
  people: Type.Array(RefundPerson, {
    maxItems: MAX_PEOPLE,
    description: 'Those who are answered otherwise; null is as for everybody.',
  }),
});
export type RefundAnswers = Static<typeof RefundAnswers>;
export type RefundSettings = Omit<RefundAnswers, 'people'>;

export const RefundAnswersChange = Type.Partial(Type.Object(SETTINGS), {
  title: 'RefundAnswersChange',
  additionalProperties: false,
  examples: [{ answers: 'neutral', customersConsent: true }],
});
export type RefundAnswersPatch = Static<typeof RefundAnswersChange>;

export const RefundPersonBody = Type.Object(
  {
    userId: Text(1, 128),
    answers: Type.Optional(Nullable(AnswerMode)),
    customersConsent: Type.Optional(Nullable(Type.Boolean())),
  },
  {
    title: 'RefundAnswersOfPersonChange',
    additionalProperties: false,
    examples: [{ userId: 'user-4711', answers: 'off' }],
  },
);
export type RefundPersonInput = Static<typeof RefundPersonBody>;

const STATES = ['waiting', 'answered', 'not_answered'] as const;
export const REASONS_NOT = [
  'off',
  'no_consent',
  'family_shared',
  'assigned',
  'decided',
  'refused',
  'too_late',
] as const;
export type ReasonNot = (typeof REASONS_NOT)[number];

export const RefundAnswer = Type.Object({
  delivery: OneOf(['delivered', 'quality_issue', 'wrong_item', 'server_outage', 'other']),
  sampleContentProvided: Type.Boolean(),
  usedMillipercent: Nullable(
    Type.Integer({ minimum: 0, maximum: 100_000, description: '40000 is 40 %.' }),
  ),
  preference: Nullable(OneOf(['decline', 'grant_full', 'grant_prorated'])),
  events: Type.Optional(
    Type.Integer({ description: 'Google Play: uses sent as evidence, each with its time.' }),
  ),
});
export type RefundAnswer = Static<typeof RefundAnswer>;

export const RefundEvidence = Type.Object({
  eventName: Type.String(),
  atMs: Type.Array(Type.Integer()),
});
export type RefundEvidence = Static<typeof RefundEvidence>;

const OUTCOMES = ['refunded', 'declined', 'reversed'] as const;
export type RefundOutcome = (typeof OUTCOMES)[number];

export const RefundRequest = Named('RefundRequest', {
  id: Type.String({ description: "The store's id of the notification that asked." }),
  store: Type.Optional(
    Type.Literal('google_play', { description: 'Left out of requests of the App Store.' }),
  ),
  environment: OneOf(STORE_ENVIRONMENTS),
  transactionId: Type.String({ description: 'The order, of Google Play.' }),
  productId: Type.String({ description: 'Empty until the purchase of an order is found.' }),
  userId: Nullable(Type.String()),
  reason: Nullable(Type.String({ description: "The customer's, in the store's word." })),
  askedAt: DateTime,
  answerBy: DateTime,
  state: OneOf(STATES),
  why: Nullable(OneOf(REASONS_NOT, { description: 'Why it was not answered.' })),
  message: Nullable(Type.String({ description: 'The same as a sentence, or what it waits for.' })),
  storeCode: Nullable(Type.Integer({ description: "The store's number of its last refusal." })),
  attempts: Type.Integer(),
  answer: Nullable(RefundAnswer),
  answeredAt: Nullable(DateTime),
  outcome: Nullable(
    OneOf(OUTCOMES, { description: 'What the store decided; null until it says so.' }),
  ),
  outcomeAt: Nullable(DateTime),
});
export type RefundRequest = Static<typeof RefundRequest>;

export const REFUND_PAGE = 50;

export const RefundRequestsQuery = Type.Object({
  state: Type.Optional(OneOf(STATES)),
  cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,16}_.{1,128}$' })),
  limit: Type.Optional(QueryInteger(1, 200, { whenLeftOut: REFUND_PAGE })),
});
export type RefundRequestsInput = Static<typeof RefundRequestsQuery>;

const Count = Type.Integer();
export const RefundCounts = Type.Object({
  asked: Count,
  waiting: Count,
  answered: Count,
  refunded: Count,
  declined: Count,
  reversed: Count,
});
export type RefundCounts = Static<typeof RefundCounts>;

export const RefundRequests = Named('RefundRequestsPage', {
  requests: Type.Array(RefundRequest),
  counts: { ...RefundCounts, description: 'Of all requests about this app in production.' },
  nextCursor: Nullable(Type.String()),
});
export type RefundRequests = Static<typeof RefundRequests>;
