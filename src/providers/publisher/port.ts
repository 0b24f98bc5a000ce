import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Day, Named, Nullable, OneOf } from '../../shared/schema.ts';

export const PUBLISHER_PLATFORMS = ['photo_feed', 'short_video'] as const;
export type PublisherPlatform = (typeof PUBLISHER_PLATFORMS)[number];

export type PublisherAccount = {
  /** Until the owner signs in again. */
  state: 'connected' | 'reauth_required' | 'none';
  handle: string | null;
  displayName: string | null;
  profileImageUrl: string | null;
};

export type PublisherAccounts = Readonly<Record<PublisherPlatform, PublisherAccount>>;

const NullableText = Nullable(Type.String());

export const ScheduledPost = Named('ScheduledPost', {
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

const PublishedPost = Named('PublishedPost', {
  platform: Type.String(),
  mediaType: Type.String(),
  publishedAt: DateTime,
  success: Type.Boolean(),
  postUrl: NullableText,
  title: NullableText,
  caption: NullableText,
  errorMessage: NullableText,
});
export type PublishedPost = Static<typeof PublishedPost>;

export const PublishHistory = Named('PublishHistory', {
  posts: Type.Array(PublishedPost, { description: 'The newest 100' }),
  total: Type.Integer({ minimum: 0 }),
});
export type PublishHistory = Static<typeof PublishHistory>;

/** Null where the provider gives no figure, never 0. */
const Figure = Nullable(Type.Number());
export const PRIMARY_METRICS = ['reach', 'views', 'impressions'] as const;

export const PlatformPerformance = Named('PlatformPerformance', {
  platform: OneOf(PUBLISHER_PLATFORMS),
  followers: Figure,
  reach: Figure,
  views: Figure,
  impressions: Figure,
  likes: Figure,
  comments: Figure,
  shares: Figure,
  primaryMetric: Nullable(OneOf(PRIMARY_METRICS)),
  timeseries: Type.Array(Type.Object({ date: Day, value: Type.Number() })),
});
export type PlatformPerformance = Static<typeof PlatformPerformance>;

/** Throws `ProviderError`; lists skip unreadable rows. */
export interface Publisher {
  ensureProfile(username: string): Promise<void>;
  readAccounts(username: string): Promise<PublisherAccounts | null>;
  /** Idempotent. */
  deleteProfile(username: string): Promise<void>;
  /** Single-use hosted page to connect an account. */
  connectPage(username: string, platform: PublisherPlatform): Promise<string>;
  /** At most 1,000, soonest first. */
  scheduled(username: string): Promise<ScheduledPost[]>;
  /** The newest 100, one per platform, and the total. */
  history(username: string): Promise<PublishHistory>;
  performance(
    username: string,
    platforms: readonly PublisherPlatform[],
  ): Promise<PlatformPerformance[]>;
}
