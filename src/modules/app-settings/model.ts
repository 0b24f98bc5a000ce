import { type Static, Type } from '@sinclair/typebox';
import { Text } from '../../shared/text.ts';

export const AppSettings = Type.Object(
  {
    timezone: Text(1, 64, {
      description:
        "IANA name of the zone whose hours, days, weeks (from Monday) and months event figures are cut by. The store's days are Pacific and are never cut anew.",
    }),
  },
  { title: 'AppSettings', examples: [{ timezone: 'Europe/Berlin' }] },
);
export type AppSettings = Static<typeof AppSettings>;

export const AppSettingsPatch = Type.Partial(AppSettings, {
  title: 'AppSettingsPatch',
  examples: [{ timezone: 'Europe/Berlin' }],
});
export type AppSettingsPatch = Static<typeof AppSettingsPatch>;
