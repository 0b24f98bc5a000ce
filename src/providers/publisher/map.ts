import { withoutNul } from '../../shared/text.ts';
import * as port from './port.ts';
import { account, type HistoryRow, platformAnalytics, scheduledRow, seriesPoint } from './wire.ts';

export const PROVIDER_PLATFORM = {
  photo_feed: 'instagram',
  short_video: 'tiktok',
} as const satisfies Readonly<Record<port.PublisherPlatform, string>>;

function parsePlatform(name: string): port.PublisherPlatform | null {
  const lower = name.toLowerCase();
  return port.PUBLISHER_PLATFORMS.find((platform) => PROVIDER_PLATFORM[platform] === lower) ?? null;
}

/** The provider sends empty for absent. */
function textOrNull(value: string | null | undefined): string | null {
  const text = withoutNul(value ?? '');
  return text.trim() === '' ? null : text;
}

/** Web URLs only: the value ends up in a link. */
function webUrlOrNull(value: string | null | undefined): string | null {
  const text = textOrNull(value);
  return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}

const NAIVE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/** Null unless ISO 8601 (UTC by default) or RFC 1123. */
export function utcTime(text: string): string | null {
  const zoned = NAIVE_TIME.test(text) ? `${text.replace(' ', 'T')}Z` : text;
  const milliseconds = Date.parse(zoned);
  return Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString();
}

const NO_ACCOUNT: port.PublisherAccount = {
  state: 'none',
  handle: null,
  displayName: null,
  profileImageUrl: null,
};

export function toAccount(value: unknown): port.PublisherAccount {
  if (!account.check(value)) return NO_ACCOUNT;
  return {
    state: value.reauth_required === true ? 'reauth_required' : 'connected',
    handle: textOrNull(value.handle) ?? textOrNull(value.username),
    displayName: textOrNull(value.display_name),
    profileImageUrl: webUrlOrNull(value.social_images),
  };
}

export function toAccounts(accounts: Readonly<Record<string, unknown>>): port.PublisherAccounts {
  return {
    photo_feed: toAccount(accounts[PROVIDER_PLATFORM.photo_feed]),
    short_video: toAccount(accounts[PROVIDER_PLATFORM.short_video]),
  };
}

/** Null for other profiles and platforms. */
export function toScheduledPost(row: unknown, username: string): port.ScheduledPost | null {
  if (!scheduledRow.check(row) || row.profile_username !== username) return null;
  const scheduledAt = utcTime(row.scheduled_date);
  if (scheduledAt === null) return null;
  const platforms = (row.platforms ?? []).flatMap((name) => parsePlatform(name) ?? []);
  const onlyElsewhere = platforms.length === 0 && (row.platforms ?? []).length > 0;
  if (onlyElsewhere) return null;
  return {
    jobId: row.job_id,
    scheduledAt,
    postType: textOrNull(row.post_type) ?? 'unknown',
    platforms: [...new Set(platforms)],
    title: textOrNull(row.title),
    caption: textOrNull(row.caption),
    previewUrl: webUrlOrNull(row.preview_url),
    thumbnailUrl: webUrlOrNull(row.thumbnail_url),
  };
}

/** Deduplicates rows across shifting pages. */
export function historyKey(row: HistoryRow): string {
  return JSON.stringify([
    row.request_id ?? row.job_id ?? null,
    row.platform,
    row.upload_timestamp,
    row.post_url ?? null,
  ]);
}

export function toPublishedPost(row: HistoryRow, username: string): port.PublishedPost | null {
  const platform = parsePlatform(row.platform);
  const publishedAt = utcTime(row.upload_timestamp);
  if (row.profile_username !== username || platform === null || publishedAt === null) return null;
  return {
    platform,
    mediaType: textOrNull(row.media_type) ?? 'unknown',
    publishedAt,
    success: row.success,
    postUrl: row.success ? webUrlOrNull(row.post_url) : null,
    title: textOrNull(row.post_title),
    caption: textOrNull(row.post_caption),
    errorMessage: textOrNull(row.error_message),
  };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

const metricOrNull = (value: unknown) =>
  port.PRIMARY_METRICS.find((metric) => metric === value) ?? null;

/** Null figures for an error or a malformed part. */
export function toPerformance(
  platform: port.PublisherPlatform,
  part: unknown,
): port.PlatformPerformance {
  const figures = platformAnalytics.check(part) && !('error' in part) ? part : {};
  return {
    platform,
    followers: numberOrNull(figures.followers),
    reach: numberOrNull(figures.reach),
    views: numberOrNull(figures.views),
    impressions: numberOrNull(figures.impressions),
    likes: numberOrNull(figures.likes),
    comments: numberOrNull(figures.comments),
    shares: numberOrNull(figures.shares),
    primaryMetric:
      metricOrNull(figures.primary_impressions_field) ?? metricOrNull(figures.metric_type),
    timeseries: [figures.reach_timeseries]
      .flat()
      .filter(seriesPoint.check)
      .map(({ date, value }) => ({ date, value })),
  };
}

const UNKNOWN_PROFILE = 'PROFILE_NOT_FOUND';

/** 403 in the provider's format only. */
export function isPublishersRefusal(status: number, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  if (status === 403) return 'success' in body && body.success === false;
  const code = 'error_code' in body ? body.error_code : undefined;
  return code === UNKNOWN_PROFILE || publisherReason(body) === 'Profile not found';
}

/** Free-form; for the log only. */
export function publisherReason(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const fields = new Map(Object.entries(body));
  for (const name of ['message', 'error', 'detail', 'msg']) {
    const value: unknown = fields.get(name);
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.length > 0) return JSON.stringify(value);
  }
  return null;
}
