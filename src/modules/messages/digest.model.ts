import { type Static, Type } from '@sinclair/typebox';
import { Named } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';

export const DEFAULT_HOUR = 8;

/** No zone skips or repeats these hours when clocks change. */
const Hour = Type.Integer({ minimum: 4, maximum: 12 });
const Timezone = Text(1, 64, { description: 'IANA name, such as Europe/Berlin.' });

const SettingsFields = { isOn: Type.Boolean(), timezone: Timezone, hour: Hour };

export const DigestSettings = Named('DigestSettings', SettingsFields);
export const ChangeDigestSettings = Named('ChangeDigestSettings', SettingsFields, {
  examples: [{ isOn: true, timezone: 'Europe/Berlin', hour: 8 }],
});
export type DigestSettings = Static<typeof DigestSettings>;
