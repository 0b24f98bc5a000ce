import { FormatRegistry, type Static, Type } from '@sinclair/typebox';
import { isEventTime } from '../../event-store/append.ts';
import { EVENT_FIELDS, eachOf, TEXT_FIELDS } from '../../shared/event-fields.ts';
import { Named, OneOf } from '../../shared/schema.ts';
import { AnyText, DeviceText, Text } from '../../shared/text.ts';

export const PLATFORMS = ['ios', 'android', 'web', 'macos', 'other'] as const;
export const MAX_BATCH_EVENTS = 100;
export const EVENT_NAME_PATTERN = '^[a-z][a-z0-9_]*$';

export const STANDARD_EVENT_NAMES: readonly string[] = [
  'app_opened',
  'onboarding_started',
  'onboarding_step',
  'onboarding_completed',
  'paywall_viewed',
  'purchase_started',
  'trial_started',
  'purchase_completed',
  'signup_completed',
  'screen_viewed',
];

const MAX_PROPERTY_CHARACTERS = 500;
const PropertyValue = Type.Union(
  [
    AnyText(0, MAX_PROPERTY_CHARACTERS, { description: 'at most 500 characters' }),
    Type.Number({ description: 'An integer that JavaScript would round is kept as text.' }),
    Type.Boolean(),
    Type.Null(),
  ],
  {
    rule: `must be a string of at most ${MAX_PROPERTY_CHARACTERS} characters, a number, a boolean or null`,
  },
);

export const EVENT_TIME_FORMAT = 'event-time';
FormatRegistry.Set(EVENT_TIME_FORMAT, isEventTime);

export const MAX_NAME_CHARACTERS = 64;
export const EventName = Type.String({
  minLength: 1,
  maxLength: MAX_NAME_CHARACTERS,
  pattern: EVENT_NAME_PATTERN,
  rule: `must be 1 to ${MAX_NAME_CHARACTERS} characters: a lowercase letter, then lowercase letters, digits or underscores`,
});

export const TEXT_LENGTHS = {
  id: { min: 8, max: 64 },
  anonymousId: { min: 8, max: 128 },
  userId: { min: 0, max: 128 },
  sessionId: { min: 0, max: 128 },
} as const;

export const EventInput = Named(
  'Event',
  {
    id: Type.Optional(Text(TEXT_LENGTHS.id.min, TEXT_LENGTHS.id.max)),
    name: EventName,
    ts: Type.Optional(
      Type.String({
        format: EVENT_TIME_FORMAT,
        rule: 'must be an ISO 8601 date-time with an offset',
        shown: { format: 'date-time' },
      }),
    ),
    anonymousId: Text(TEXT_LENGTHS.anonymousId.min, TEXT_LENGTHS.anonymousId.max),
    userId: Type.Optional(Text(TEXT_LENGTHS.userId.min, TEXT_LENGTHS.userId.max)),
    sessionId: Type.Optional(Text(TEXT_LENGTHS.sessionId.min, TEXT_LENGTHS.sessionId.max)),
    props: Type.Optional(
      Type.Record(Type.String(), PropertyValue, {
        rule: 'must be an object of strings, numbers, booleans and nulls',
      }),
    ),
  },
  { rule: 'must be an event object' },
);
export type EventInput = Static<typeof EventInput>;

export const BatchContext = Named('BatchContext', {
  platform: Type.Optional(OneOf(PLATFORMS)),
  ...eachOf(TEXT_FIELDS, (field) => {
    const [least, most] = EVENT_FIELDS[field].length;
    return Type.Optional(DeviceText(least, most));
  }),
});
export type BatchContext = Static<typeof BatchContext>;

export const EventBatch = Named(
  'EventBatch',
  {
    events: Type.Array(EventInput, {
      minItems: 1,
      maxItems: MAX_BATCH_EVENTS,
      rule: `must be an array of 1 to ${MAX_BATCH_EVENTS} events`,
    }),
    context: Type.Optional(BatchContext),
  },
  {
    rule: 'must be an object with events and, optionally, context',
    examples: [
      {
        events: [
          {
            name: 'screen_viewed',
            ts: '2026-11-21T09:30:00.123Z',
            anonymousId: '0f8a1c52-7d0f-4d5e-9b1a-2f6c3f1f9a10',
            props: { screen: 'home' },
          },
        ],
        context: { platform: 'ios', appVersion: '1.4.0' },
      },
    ],
  },
);
export type EventBatch = Static<typeof EventBatch>;

export const BatchAccepted = Named('AcceptedBatch', {
  accepted: Type.Integer({ minimum: 1, maximum: 100 }),
});
export type BatchAccepted = Static<typeof BatchAccepted>;
