import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf } from '../../shared/schema.ts';
import { Name, Text } from '../../shared/text.ts';
import { Mark } from '../marks/index.ts';

export const MAX_DESTINATIONS = 10;
export const DEFAULT_HOUR = 8;
/** An organization with more is told of the oldest of them. */
export const MAX_APPS = 20;

/** No zone puts its clocks forward over these hours, so every day has each of them once. */
const Hour = Type.Integer({ minimum: 4, maximum: 12 });
const Timezone = Text(1, 64, { description: 'IANA name, such as Europe/Berlin.' });

const SettingsFields = { isOn: Type.Boolean(), timezone: Timezone, hour: Hour };
const EXAMPLES = { examples: [{ isOn: true, timezone: 'Europe/Berlin', hour: 8 }] };

export const DigestSettings = Named('DigestSettings', SettingsFields, EXAMPLES);
export const ChangeDigestSettings = Named('ChangeDigestSettings', SettingsFields, EXAMPLES);
export type DigestSettings = Static<typeof DigestSettings>;

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

const What = OneOf(['digest', 'messages']);

export const OffQuery = Type.Object({
  org: Text(1, 64),
  token: Text(1, 100),
  what: Type.Optional(What),
  destination: Type.Optional(Text(1, 64)),
});
export type OffQuery = Static<typeof OffQuery>;

/** What a link ends: everything for one destination, or one kind for the organization. */
export type Ends = { org: string; what: Static<typeof What>; destination?: string };

/** A mark of a time chart, without who wrote it. */
export const DigestMark = Type.Omit(Mark, ['author']);
export type DigestMark = Static<typeof DigestMark>;

/** What a digest says; stored as it was written. */
export const Digest = Named('Digest', {
  day: Type.String(),
  sales: Nullable(
    Type.Object({
      day: Type.String(),
      downloads: Type.Number(),
      proceedsMinor: Type.Integer(),
      currency: Type.String(),
      /** Proceeds without a rate, which `proceedsMinor` lacks. */
      unconverted: Type.Optional(
        Type.Array(Type.Object({ currency: Type.String(), proceedsMinor: Type.Integer() })),
      ),
    }),
  ),
  /** What concerns all apps, said once. */
  alerts: Type.Optional(Type.Array(Type.String())),
  apps: Type.Array(
    Type.Object({
      appId: Type.String(),
      name: Type.String(),
      people: Type.Integer(),
      events: Type.Integer(),
      alerts: Type.Array(Type.String()),
      /** One line for each new subscriber, refund and billing problem. */
      news: Type.Optional(Type.Array(Type.String())),
      /** Those that no digest told before. */
      marks: Type.Optional(Type.Array(DigestMark)),
    }),
  ),
});
export type Digest = Static<typeof Digest>;
