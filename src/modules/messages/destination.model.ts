import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf } from '../../shared/schema.ts';
import { Name, Text } from '../../shared/text.ts';

export const MAX_DESTINATIONS = 10;

const Kind = OneOf(['mail', 'slack', 'discord', 'json']);
export type DestinationKind = Static<typeof Kind>;

export const NewDestination = Named(
  'NewDigestDestination',
  {
    kind: Kind,
    name: Name(1, 80),
    target: Text(3, 2_048, {
      description:
        'The address of a member for `mail`; for the others where to post: the incoming webhook of Slack or Discord, or an address of your own.',
    }),
  },
  { examples: [{ kind: 'json', name: 'Our server', target: 'https://example.com/digest' }] },
);
export type NewDestinationInput = Static<typeof NewDestination>;

export const Destination = Named('DigestDestination', {
  id: Type.String(),
  kind: Kind,
  name: Type.String(),
  shownTarget: Type.String({
    description: 'The mail address, or the host; never the secret path.',
  }),
  createdAt: DateTime,
  goneReason: Nullable(
    Type.String({ description: 'Why nothing is sent there any more; make a new one.' }),
  ),
});
export type Destination = Static<typeof Destination>;

export const TestResult = Named('DigestTest', {
  delivered: Type.Boolean(),
  error: Nullable(Type.String()),
});
export type TestResult = Static<typeof TestResult>;
