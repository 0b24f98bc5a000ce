import { type Static, Type } from '@sinclair/typebox';
import { Named, Nullable, OneOf } from '../../shared/schema.ts';
import { Name, Text } from '../../shared/text.ts';

const PINNED_VIEWS_MAX = 6;

const PinnedView = Named(
  'PinnedView',
  {
    title: Name(1, 60),
    page: OneOf(['trends', 'retention', 'funnels', 'questions']),
    query: Type.String({
      maxLength: 2_000,
      pattern: '^[\\w.~%=&+:*-]*$',
      description: 'What stands after the question mark of its address; empty for the usual view',
    }),
  },
  { additionalProperties: false },
);

export const PinnedViews = Type.Array(PinnedView, {
  maxItems: PINNED_VIEWS_MAX,
  description: "Views of the console that an app's first page shows, in this order",
});

export const AppSettings = Type.Object(
  {
    timezone: Text(1, 64, {
      description:
        "IANA name of the zone whose hours, days, weeks (from Monday) and months event figures are cut by. The store's days are Pacific and are never cut anew.",
    }),
    pinnedViews: PinnedViews,
  },
  {
    title: 'AppSettings',
  },
);
export type AppSettings = Static<typeof AppSettings>;

export const AppSettingsPatch = Type.Partial(AppSettings, {
  title: 'AppSettingsPatch',
  examples: [{ timezone: 'Europe/Berlin' }],
});
export type AppSettingsPatch = Static<typeof AppSettingsPatch>;

const MAX_RETENTION_DAYS = 4_000;
const KeptDays = (what: string) =>
  Nullable(
    Type.Integer({
      minimum: 1,
      maximum: MAX_RETENTION_DAYS,
      description: `Days for which ${what} are kept; null for ever`,
    }),
  );

const RETENTION = {
  eventDays: KeptDays('events'),
  logDays: KeptDays('entries of the log'),
  notificationDays: KeptDays('raw store notifications'),
};

export const AppRetention = Named('AppRetention', RETENTION);
export type AppRetention = Static<typeof AppRetention>;

export const AppRetentionPatch = Type.Partial(
  Type.Object({
    ...RETENTION,
    deleteOlder: Type.Boolean({
      description: 'Needed where less is kept than before: what is older is deleted for good',
    }),
  }),
  { title: 'AppRetentionPatch', examples: [{ logDays: 90 }] },
);
export type AppRetentionPatch = Static<typeof AppRetentionPatch>;
