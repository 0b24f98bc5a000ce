import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  historyKey,
  isPublishersRefusal,
  publisherReason,
  toAccount,
  toAccounts,
  toPerformance,
  toPublishedPost,
  toScheduledPost,
  utcTime,
} from '../../../../src/providers/publisher/map.ts';

const NONE = { state: 'none', handle: null, displayName: null, profileImageUrl: null } as const;

describe('accounts', () => {
  test('"", null, a missing key and nonsense are not connected', () => {
    for (const value of ['', null, undefined, 0, [], { handle: 7 }]) {
      expect(toAccount(value)).toEqual(NONE);
    }
  });

  test('an object is connected, with the handle before the stable id', () => {
    const account = {
      username: '17841400000000000',
      handle: 'acme',
      display_name: 'Acme',
      social_images: 'https://images.example/a.jpg',
      reauth_required: false,
    };
    expect(toAccount(account)).toEqual({
      state: 'connected',
      handle: 'acme',
      displayName: 'Acme',
      profileImageUrl: 'https://images.example/a.jpg',
    });
    expect(toAccount({ username: 'stable' }).handle).toBe('stable');
    expect(toAccount({ username: 'stable', handle: '' }).handle).toBe('stable');
  });

  test('one that must sign in again keeps its names', () => {
    expect(toAccount({ handle: 'acme', reauth_required: true })).toEqual({
      ...NONE,
      state: 'reauth_required',
      handle: 'acme',
    });
  });

  test('an image that is no web address is left out', () => {
    expect(toAccount({ social_images: 'javascript:alert(1)' }).profileImageUrl).toBeNull();
    expect(toAccount({ social_images: '' }).profileImageUrl).toBeNull();
  });

  test('other platforms are not looked at', () => {
    expect(toAccounts({ youtube: { handle: 'x' }, tiktok: '' })).toEqual({
      photo_feed: NONE,
      short_video: NONE,
    });
  });
});

describe('utcTime', () => {
  test.each([
    ['2024-12-25T10:30:00Z', '2024-12-25T10:30:00.000Z'],
    ['2025-04-02T17:44:33.229755', '2025-04-02T17:44:33.229Z'],
    ['2025-04-02 17:44:33', '2025-04-02T17:44:33.000Z'],
    ['2024-12-25T11:30:00+01:00', '2024-12-25T10:30:00.000Z'],
    ['Fri, 02 May 2025 21:43:14 GMT', '2025-05-02T21:43:14.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(utcTime(text)).toBe(expected);
  });

  test('what is no time is null', () => {
    expect(utcTime('')).toBeNull();
    expect(utcTime('soon')).toBeNull();
  });
});

describe('scheduled posts', () => {
  const row = {
    job_id: 'a1',
    scheduled_date: '2024-12-25T10:30:00',
    post_type: 'video',
    profile_username: 'app_1',
    platforms: ['instagram', 'youtube', 'tiktok'],
    title: 'T',
    caption: '',
    preview_url: null,
  };

  test('are renamed, and platforms that are not exposed left out', () => {
    expect(toScheduledPost(row, 'app_1')).toEqual({
      jobId: 'a1',
      scheduledAt: '2024-12-25T10:30:00.000Z',
      postType: 'video',
      platforms: ['photo_feed', 'short_video'],
      title: 'T',
      caption: null,
      previewUrl: null,
      thumbnailUrl: null,
    });
  });

  test('of another profile or only on other platforms never appear', () => {
    expect(toScheduledPost({ ...row, profile_username: 'app_2' }, 'app_1')).toBeNull();
    expect(toScheduledPost({ ...row, platforms: ['youtube'] }, 'app_1')).toBeNull();
  });

  test('of the older form say no platforms, and stay', () => {
    const { platforms: _, ...older } = row;
    expect(toScheduledPost(older, 'app_1')?.platforms).toEqual([]);
  });

  test('without an id or a time are left out', () => {
    expect(toScheduledPost({ ...row, job_id: '' }, 'app_1')).toBeNull();
    expect(toScheduledPost({ ...row, scheduled_date: 'soon' }, 'app_1')).toBeNull();
    expect(toScheduledPost('row', 'app_1')).toBeNull();
  });
});

describe('published posts', () => {
  const row = {
    profile_username: 'app_1',
    platform: 'tiktok',
    media_type: 'video',
    upload_timestamp: '2025-09-04T10:22:33.123Z',
    success: true,
    post_url: 'https://t.example/1',
    error_message: null,
    post_title: 'T',
    post_caption: 'C',
  };

  test('carry what the provider says', () => {
    expect(toPublishedPost(row, 'app_1')).toEqual({
      platform: 'short_video',
      mediaType: 'video',
      publishedAt: '2025-09-04T10:22:33.123Z',
      success: true,
      postUrl: 'https://t.example/1',
      title: 'T',
      caption: 'C',
      errorMessage: null,
    });
  });

  test('that failed have a reason and no address', () => {
    const failed = { ...row, success: false, error_message: 'Video too long' };
    expect(toPublishedPost(failed, 'app_1')).toMatchObject({
      success: false,
      postUrl: null,
      errorMessage: 'Video too long',
    });
  });

  test('of another profile or platform never appear', () => {
    expect(toPublishedPost(row, 'app_2')).toBeNull();
    expect(toPublishedPost({ ...row, platform: 'youtube' }, 'app_1')).toBeNull();
  });
});

describe('performance', () => {
  test('takes the figures that are there, and null for the rest', () => {
    const part = {
      followers: 47,
      reach: 1250,
      likes: 0,
      comments: '3',
      primary_impressions_field: 'reach',
      metric_type: 'views',
      reach_timeseries: [
        { date: '2025-07-04', value: 0 },
        { date: '2025-02-30', value: 1 },
        { date: '2025-07-05', value: null },
      ],
    };
    expect(toPerformance('photo_feed', part)).toEqual({
      platform: 'photo_feed',
      followers: 47,
      reach: 1250,
      views: null,
      impressions: null,
      likes: 0,
      comments: null,
      shares: null,
      primaryMetric: 'reach',
      timeseries: [{ date: '2025-07-04', value: 0 }],
    });
  });

  test('falls back to the metric type, and knows no other metric', () => {
    expect(toPerformance('short_video', { metric_type: 'views' }).primaryMetric).toBe('views');
    expect(toPerformance('short_video', { metric_type: 'score' }).primaryMetric).toBeNull();
  });

  test('never turns an absent figure into 0, whatever comes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.constant({ error: 'no', likes: 3 })), (part) => {
        const {
          platform: _,
          primaryMetric,
          timeseries,
          ...figures
        } = toPerformance('photo_feed', part);
        for (const [name, figure] of Object.entries(figures)) {
          const given = Object.entries(Object(part)).find(([key]) => key === name)?.[1];
          expect(figure === null || figure === given).toBe(true);
        }
        expect(Array.isArray(timeseries)).toBe(true);
        expect([null, 'reach', 'views', 'impressions']).toContain(primaryMetric);
      }),
    );
  });
});

test('the reason is found wherever their error bodies put it', () => {
  expect(publisherReason({ success: false, message: 'm', error: 'e' })).toBe('m');
  expect(publisherReason({ error: 'Invalid limit' })).toBe('Invalid limit');
  expect(publisherReason({ detail: [{ loc: ['body'] }] })).toContain('body');
  expect(publisherReason({ msg: 'x' })).toBe('x');
  expect(publisherReason('plain')).toBeNull();
});

test('a row of the history is the same by request, else job, platform, time and address', () => {
  const row = {
    request_id: 'r1',
    job_id: 'j1',
    platform: 'tiktok',
    upload_timestamp: '2026-11-21T08:00:00Z',
    post_url: 'https://posts.example/1',
    profile_username: 'app_1',
    success: true,
  };
  const others = [
    { ...row, request_id: 'r2' },
    { ...row, request_id: null },
    { ...row, request_id: null, job_id: 'j2' },
    { ...row, request_id: null, job_id: null },
    { ...row, platform: 'youtube' },
    { ...row, upload_timestamp: '2026-11-21T08:00:01Z' },
    { ...row, post_url: null },
  ];
  expect(new Set([row, ...others].map(historyKey)).size).toBe(others.length + 1);
  expect(historyKey({ ...row, job_id: 'j2' })).toBe(historyKey(row));
});

test('a refusal is the publisher’s own when it has its form', () => {
  const refusals: [number, unknown, boolean][] = [
    [403, { success: false }, true],
    [403, { success: true }, false],
    [403, { error_code: 'PROFILE_NOT_FOUND' }, false],
    [403, '<html>', false],
    [403, null, false],
    [404, { error_code: 'PROFILE_NOT_FOUND' }, true],
    [404, { message: 'Profile not found' }, true],
    [404, { error_code: 'OTHER', message: 'Not found' }, false],
    [404, { success: false }, false],
  ];
  for (const [status, body, expected] of refusals) {
    expect(isPublishersRefusal(status, body)).toBe(expected);
  }
});

test('a reason is the first message that says something', () => {
  expect(publisherReason({ message: [], error: '', detail: 'why' })).toBe('why');
  expect(publisherReason({ message: ['a'], error: 'b' })).toBe('["a"]');
  expect(publisherReason({ message: 7 })).toBeNull();
});
