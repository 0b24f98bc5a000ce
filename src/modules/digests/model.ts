import { type Static, Type } from '@sinclair/typebox';
import { Named, Nullable } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';
import { Mark } from '../marks/index.ts';

export const DEFAULT_HOUR = 8;

/** No zone skips or repeats these hours when clocks change. */
const Hour = Type.Integer({ minimum: 4, maximum: 12 });
const Timezone = Text(1, 64, { description: 'IANA name, such as Europe/Berlin.' });

const SettingsFields = { isOn: Type.Boolean(), timezone: Timezone, hour: Hour };
const EXAMPLES = { examples: [{ isOn: true, timezone: 'Europe/Berlin', hour: 8 }] };

export const DigestSettings = Named('DigestSettings', SettingsFields, EXAMPLES);
export const ChangeDigestSettings = Named('ChangeDigestSettings', SettingsFields, EXAMPLES);
export type DigestSettings = Static<typeof DigestSettings>;

export const DigestMark = Type.Omit(Mark, ['author']);
export type DigestMark = Static<typeof DigestMark>;

const SalesOfDay = Type.Object({
  day: Type.String(),
  downloads: Type.Number(),
  proceedsMinor: Type.Integer(),
  currency: Type.String(),
  unconverted: Type.Optional(
    Type.Array(Type.Object({ currency: Type.String(), proceedsMinor: Type.Integer() })),
  ),
});
export type SalesOfDay = Static<typeof SalesOfDay>;

/** Stored as written. */
export const Digest = Named('Digest', {
  day: Type.String(),
  sales: Nullable(SalesOfDay),
  googlePlaySales: Type.Optional(SalesOfDay),
  alerts: Type.Optional(Type.Array(Type.String())),
  apps: Type.Array(
    Type.Object({
      appId: Type.String(),
      name: Type.String(),
      people: Type.Integer(),
      events: Type.Integer(),
      alerts: Type.Array(Type.String()),
      news: Type.Optional(Type.Array(Type.String())),
      marks: Type.Optional(Type.Array(DigestMark)),
    }),
  ),
});
export type Digest = Static<typeof Digest>;
