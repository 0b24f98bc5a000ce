import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Nullable } from '../../../shared/schema.ts';

export const SentName = Type.Object({
  name: Type.String({ description: 'The name of its events.' }),
  sentName: Type.String({ description: 'As the client of another product sent it.' }),
  takenBy: Nullable(
    Type.String({
      description:
        'The sent name, or the event of the service, that has the name which the rule makes; null where this one has it.',
    }),
  ),
  firstAt: DateTime,
});
export type SentName = Static<typeof SentName>;
