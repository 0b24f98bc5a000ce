import { type Static, Type } from '@sinclair/typebox';
import { LAST_KNOWN } from '../../query/events/model.ts';
import { eachOf } from '../../shared/event-fields.ts';
import { DateTime, Named, Nullable, OneOf, QueryInteger } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';
import { RecentEvent } from '../events/index.ts';
import { REASONS } from '../purchases/index.ts';
import { CURSOR_PATTERN } from './cursor.ts';

export const PersonParams = Type.Object({ id: Type.String(), personId: Text(1, 128) });

export const MAX_PERSON_EVENTS = 1_000;

export const PersonQuery = Type.Object({
  cursor: Type.Optional(
    Type.String({
      pattern: CURSOR_PATTERN,
      description: '`nextCursor` of the page before.',
    }),
  ),
  limit: Type.Optional(QueryInteger(1, MAX_PERSON_EVENTS, { whenLeftOut: MAX_PERSON_EVENTS })),
});
export type PersonQuery = Static<typeof PersonQuery>;

const ById = {
  personId: Text(1, 128, { description: 'A user id or an anonymous id, whatever it holds.' }),
};
export const PersonByIdQuery = Type.Object({ ...ById, ...PersonQuery.properties });
export const ErasedByIdQuery = Type.Object(ById);

const PersonRecord = Named('PersonRecord', {
  kind: Type.String({
    description:
      'Such as `purchase`, `purchase_transaction`, `purchase_grant`, `experiment_override`, `log_entry` or `webhook_delivery`.',
  }),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'As it is stored.' }),
});

export const NOT_SEARCHED =
  'messages and other texts of log entries, and what members wrote (notes, rules, questions)';

export const PersonExport = Named('PersonExport', {
  personId: Type.String({
    description:
      'The person of the id that was asked for, else the user of that device; the device without a user.',
  }),
  anonymousIds: Type.Array(Type.String(), {
    description: 'The anonymous ids that are mapped to this user, without ids of other people.',
  }),
  events: Type.Array(RecentEvent, {
    description: 'As they are stored, in order of receipt, what the service wrote included.',
  }),
  records: Type.Array(PersonRecord, {
    description: 'What is stored beside the events, after the last of them.',
  }),
  notSearched: Type.String({
    description: 'Neither exported nor erased, whatever it says of a person.',
  }),
  nextCursor: Nullable(Type.String()),
});
export type PersonExport = Static<typeof PersonExport>;

export const MAX_FOUND_PEOPLE = 50;

export const SearchQuery = Type.Object({
  search: Text(1, 128, { description: 'How a user id or an anonymous id begins.' }),
});
export type SearchQuery = Static<typeof SearchQuery>;

const Known = Nullable(Type.String({ description: 'From the last event that has one.' }));
const LastKnown = eachOf(LAST_KNOWN, () => Known);

export const FoundPeople = Type.Object(
  {
    people: Type.Array(
      Type.Object({
        personId: Type.String(),
        anonymousIds: Type.Array(Type.String(), { description: 'By id, ten at most.' }),
        events: Type.Integer({ minimum: 0 }),
        firstEventAt: DateTime,
        lastEventAt: DateTime,
        ...LastKnown,
      }),
      { description: `By id, ${MAX_FOUND_PEOPLE} at most.` },
    ),
    hasMore: Type.Boolean({ description: 'More people fit; say more of the id.' }),
  },
  { title: 'FoundPeople' },
);
export type FoundPeople = Static<typeof FoundPeople>;

const MAX_DESCRIBED = 250;

export const DescribeBody = Named(
  'DescribePeople',
  { personIds: Type.Array(Text(1, 128), { minItems: 1, maxItems: MAX_DESCRIBED }) },
  { additionalProperties: false, examples: [{ personIds: ['user-1041'] }] },
);
export type DescribeBody = Static<typeof DescribeBody>;

export const DescribedPeople = Named('DescribedPeople', {
  people: Type.Array(
    Type.Object({
      personId: Type.String(),
      firstEventAt: Nullable(DateTime),
      lastEventAt: Nullable(DateTime),
      ...LastKnown,
      productId: Nullable(Type.String({ description: 'The product behind the state.' })),
      state: OneOf(REASONS, { description: 'The reason for the access, or for none.' }),
    }),
    { description: 'In the order of the request; null is not known.' },
  ),
});
export type DescribedPeople = Static<typeof DescribedPeople>;
