/** The two social platforms that the service exposes, by what they are for. */
export const PUBLISHER_PLATFORMS = ['photo_feed', 'short_video'] as const;
export type PublisherPlatform = (typeof PUBLISHER_PLATFORMS)[number];

export type PublisherAccount = {
  /** `reauth_required`: known to the provider, but it may not post until its owner signs in again. */
  state: 'connected' | 'reauth_required' | 'none';
  handle: string | null;
  displayName: string | null;
  profileImageUrl: string | null;
};

export type PublisherAccounts = Readonly<Record<PublisherPlatform, PublisherAccount>>;

/** Times are ISO 8601 in UTC. */
export type PublisherScheduledPost = {
  jobId: string;
  scheduledAt: string;
  postType: string;
  platforms: PublisherPlatform[];
  title: string | null;
  caption: string | null;
  previewUrl: string | null;
  thumbnailUrl: string | null;
};

export type PublisherPublishedPost = {
  platform: PublisherPlatform;
  mediaType: string;
  publishedAt: string;
  success: boolean;
  postUrl: string | null;
  title: string | null;
  caption: string | null;
  errorMessage: string | null;
};

export type PublisherMetric = 'reach' | 'views' | 'impressions';

/** A figure that the provider did not give is null, never 0. */
export type PublisherPerformance = {
  platform: PublisherPlatform;
  followers: number | null;
  reach: number | null;
  views: number | null;
  impressions: number | null;
  likes: number | null;
  comments: number | null;
  shares: number | null;
  primaryMetric: PublisherMetric | null;
  timeseries: { date: string; value: number }[];
};

/**
 * A social publishing provider. A profile holds the accounts of one app. Every method throws
 * `ProviderError`, and lists leave out rows that they cannot read.
 */
export interface Publisher {
  /** Makes the profile, or leaves the one that is there. */
  ensureProfile(username: string): Promise<void>;
  /** The accounts as they are now; null without such a profile. */
  readAccounts(username: string): Promise<PublisherAccounts | null>;
  /** Removes the profile; none is fine too. */
  deleteProfile(username: string): Promise<void>;
  /** A hosted page, for one use, on which the platform's account is connected. */
  connectPage(username: string, platform: PublisherPlatform): Promise<string>;
  /** At most 1,000 posts, soonest first. */
  scheduled(username: string): Promise<PublisherScheduledPost[]>;
  /** The newest 100 posts, one for each platform, and how many there are in all. */
  history(username: string): Promise<{ posts: PublisherPublishedPost[]; total: number }>;
  performance(
    username: string,
    platforms: readonly PublisherPlatform[],
  ): Promise<PublisherPerformance[]>;
}
