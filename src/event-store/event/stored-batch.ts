import { type Static, Type } from '@sinclair/typebox';

/** Looser than the wire: reserved names, and limits of earlier releases. */
export const StoredBatch = Type.Object({
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
          Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
        ),
      ),
    }),
  ),
  context: Type.Optional(
    Type.Object({
      platform: Type.Optional(Type.String()),
      appVersion: Type.Optional(Type.String()),
      osVersion: Type.Optional(Type.String()),
      locale: Type.Optional(Type.String()),
      country: Type.Optional(Type.String()),
    }),
  ),
});
export type StoredBatch = Static<typeof StoredBatch>;
export type StoredEvent = StoredBatch['events'][number];
