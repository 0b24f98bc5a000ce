import { type Static, Type } from '@sinclair/typebox';
import { Day, Nullable, parser } from '../../shared/schema.ts';

const MaybeText = Type.Optional(Nullable(Type.String()));

export const profileAnswer = parser(
  Type.Object({
    profile: Type.Object({
      username: Type.String(),
      // Each account is an object, "", null or missing.
      social_accounts: Type.Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
    }),
  }),
  'publisher profile',
);

export const account = parser(
  Type.Object({
    username: MaybeText,
    handle: MaybeText,
    display_name: MaybeText,
    social_images: MaybeText,
    reauth_required: Type.Optional(Nullable(Type.Boolean())),
  }),
  'publisher account',
);

export const anyAnswer = parser(Type.Unknown(), 'publisher answer');

export const connectAnswer = parser(
  Type.Object({ access_url: Type.String() }),
  'publisher connect page',
);

const Rows = Type.Array(Type.Unknown());

/** A bare array in the older form. */
export const scheduleAnswer = parser(
  Type.Union([Rows, Type.Object({ scheduled_posts: Rows })]),
  'publisher schedule',
);

export const scheduledRow = parser(
  Type.Object({
    job_id: Type.String({ minLength: 1 }),
    scheduled_date: Type.String(),
    post_type: MaybeText,
    profile_username: Type.String(),
    platforms: Type.Optional(Nullable(Type.Array(Type.String()))),
    title: MaybeText,
    caption: MaybeText,
    preview_url: MaybeText,
    thumbnail_url: MaybeText,
  }),
  'publisher scheduled post',
);

export const historyAnswer = parser(
  Type.Object({ history: Rows, total: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))) }),
  'publisher history',
);

const HistoryRow = Type.Object({
  profile_username: Type.String(),
  platform: Type.String(),
  upload_timestamp: Type.String(),
  success: Type.Boolean(),
  media_type: MaybeText,
  post_url: MaybeText,
  post_title: MaybeText,
  post_caption: MaybeText,
  error_message: MaybeText,
  request_id: MaybeText,
  job_id: MaybeText,
});
export type HistoryRow = Static<typeof HistoryRow>;
export const historyRow = parser(HistoryRow, 'publisher history row');

export const analyticsAnswer = parser(
  Type.Record(Type.String(), Type.Unknown()),
  'publisher analytics',
);

export const seriesPoint = parser(
  Type.Object({ date: Day, value: Type.Number() }),
  'publisher time series',
);

/** Untyped: any figure may be missing or malformed. */
export const platformAnalytics = parser(
  Type.Record(Type.String(), Type.Unknown()),
  'publisher platform analytics',
);
