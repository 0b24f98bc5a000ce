import { type Static, Type } from '@sinclair/typebox';
import { PUBLISHER_PLATFORMS } from '../../providers/publisher/port.ts';
import { DateTime, Day, Nullable, OneOf } from '../../shared/schema.ts';

export const Platform = OneOf(PUBLISHER_PLATFORMS);

const NullableText = Nullable(Type.String());
const Figure = Nullable(Type.Number());

export const SocialConnection = Type.Object({
  status: OneOf(['not_connected', 'connected']),
  handle: NullableText,
  displayName: NullableText,
  profileImageUrl: NullableText,
  connectedAt: Nullable(DateTime),
});
export type SocialConnection = Static<typeof SocialConnection>;

export const SocialConnections = Type.Object({
  appId: Type.String(),
  photo_feed: SocialConnection,
  short_video: SocialConnection,
  lastCheckedAt: Nullable(DateTime),
  publisherUsername: NullableText,
});
export type SocialConnections = Static<typeof SocialConnections>;

export const ConnectPage = Type.Object({
  accessUrl: Type.String({ description: 'A hosted page, for one use, to connect the platform on' }),
});
export type ConnectPage = Static<typeof ConnectPage>;

export const ScheduledPost = Type.Object({
  jobId: Type.String(),
  scheduledAt: DateTime,
  postType: Type.String(),
  platforms: Type.Array(Type.String()),
  title: NullableText,
  caption: NullableText,
  previewUrl: NullableText,
  thumbnailUrl: NullableText,
});
export type ScheduledPost = Static<typeof ScheduledPost>;

const PublishedPost = Type.Object({
  platform: Type.String(),
  mediaType: Type.String(),
  publishedAt: DateTime,
  success: Type.Boolean(),
  postUrl: NullableText,
  title: NullableText,
  caption: NullableText,
  errorMessage: NullableText,
});

export const PublishHistory = Type.Object({
  posts: Type.Array(PublishedPost, { description: 'The newest 100' }),
  total: Type.Integer({ minimum: 0 }),
});
export type PublishHistory = Static<typeof PublishHistory>;

export const PlatformPerformance = Type.Object({
  platform: Platform,
  followers: Figure,
  reach: Figure,
  views: Figure,
  impressions: Figure,
  likes: Figure,
  comments: Figure,
  shares: Figure,
  primaryMetric: Nullable(OneOf(['reach', 'views', 'impressions'])),
  timeseries: Type.Array(Type.Object({ date: Day, value: Type.Number() })),
});
export type PlatformPerformance = Static<typeof PlatformPerformance>;
