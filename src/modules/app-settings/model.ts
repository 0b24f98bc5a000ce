import { type Static, Type } from '@sinclair/typebox';
import { Named, OneOf } from '../../shared/schema.ts';
import { Name, Text } from '../../shared/text.ts';

const PINNED_VIEWS_MAX = 6;

const PinnedView = Named(
  'PinnedView',
  {
    title: Name(1, 60),
    page: OneOf(['trends', 'retention', 'funnels']),
    query: Type.String({
      maxLength: 300,
      pattern: '^[\\w.~%=&+:-]*$',
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
    examples: [
      {
        timezone: 'Europe/Berlin',
        pinnedViews: [
          { title: 'Paying people', page: 'trends', query: 'event=purchase_completed' },
        ],
      },
    ],
  },
);
export type AppSettings = Static<typeof AppSettings>;

export const AppSettingsPatch = Type.Partial(AppSettings, {
  title: 'AppSettingsPatch',
  examples: [{ timezone: 'Europe/Berlin' }],
});
export type AppSettingsPatch = Static<typeof AppSettingsPatch>;
