import { type Static, type TNumber, Type } from '@sinclair/typebox';
import { CONTEXT_FIELDS, eachOf } from '../../shared/event-fields.ts';

/** Looser than the wire: reserved names, and limits of earlier releases. */
const batchOf = (number: TNumber) =>
  Type.Object({
    events: Type.Array(
      Type.Object({
        id: Type.Optional(Type.String()),
        name: Type.String(),
        ts: Type.Optional(Type.String()),
        anonymousId: Type.String(),
        userId: Type.Optional(Type.String()),
        sessionId: Type.Optional(Type.String()),
        props: Type.Optional(
          Type.Record(
            Type.String(),
            Type.Union([Type.String(), number, Type.Boolean(), Type.Null()]),
          ),
        ),
      }),
    ),
    context: Type.Optional(Type.Object(eachOf(CONTEXT_FIELDS, () => Type.Optional(Type.String())))),
  });

export const StoredBatch = batchOf(Type.Number());

/** JavaScript writes its numbers as they were sent, or nearly. */
export const HeldBatch = batchOf(
  Type.Number({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
);
export type StoredBatch = Static<typeof StoredBatch>;
export type StoredEvent = StoredBatch['events'][number];
