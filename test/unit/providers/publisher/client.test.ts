import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { createPublisher } from '../../../../src/providers/publisher/client.ts';
import type { Publisher } from '../../../../src/providers/publisher/port.ts';
import type { ProviderError, ProviderFailure } from '../../../../src/shared/provider-error.ts';
import type { ProviderRateLimit } from '../../../../src/shared/provider-rate-limit.ts';
import { HTML_500 } from '../../../simulators/kit/faults.ts';
import {
  type PublisherSimulator,
  startPublisherSimulator,
} from '../../../simulators/publisher/simulator.ts';
import { openGate } from '../../../support/open-gate.ts';

const NOW = new Date('2026-11-21T08:00:00Z');
const USER = 'app_1';

let sim: PublisherSimulator;
let publisher: Publisher;

const connectTo = (
  options: { gate?: ProviderRateLimit; apiKey?: string; timeoutMs?: number } = {},
) =>
  createPublisher({
    baseUrl: `${sim.apiUrl}/`,
    apiKey: options.apiKey ?? 'sim-key',
    gate: options.gate ?? openGate,
    clock: () => NOW,
    timeoutMs: options.timeoutMs ?? 2_000,
  });

beforeEach(async () => {
  await sim?.stop();
  sim = await startPublisherSimulator({ now: () => NOW });
  publisher = connectTo();
});
afterAll(() => sim.stop());

async function failureOf(call: Promise<unknown>): Promise<ProviderError> {
  return call.then(
    () => {
      throw new Error('The call was expected to fail.');
    },
    (thrown) => thrown,
  );
}

const profile = () => {
  const found = sim.state.profiles.get(USER);
  if (!found) throw new Error('no profile');
  return found;
};

test('a provider that does not answer fails all who wait for it within the time of one request', async () => {
  let asked = 0;
  const silent = Bun.serve({
    port: 0,
    fetch: () => {
      asked += 1;
      return new Promise<Response>(() => undefined);
    },
  });
  const impatient = createPublisher({
    baseUrl: silent.url.origin,
    apiKey: 'sim-key',
    gate: openGate,
    clock: () => NOW,
    timeoutMs: 300,
  });
  const calls = Array.from({ length: 24 }, () => failureOf(impatient.ensureProfile(USER)));
  const failures = await Promise.all(calls);
  expect(new Set(failures.map(({ failure }) => failure))).toEqual(new Set(['unavailable']));
  // Those who waited for a place behind it have not asked it as well.
  expect(asked).toBe(4);
  await silent.stop(true);
});

describe('profiles', () => {
  test('making one twice is making it once', async () => {
    await publisher.ensureProfile(USER);
    await publisher.ensureProfile(USER);
    expect(sim.state.profiles.size).toBe(1);
    expect(sim.violations).toEqual([]);
  });

  test('are read with their accounts; an unknown one is null', async () => {
    expect(await publisher.readAccounts(USER)).toBeNull();
    await publisher.ensureProfile(USER);
    expect((await publisher.readAccounts(USER))?.photo_feed.state).toBe('none');
    profile().accounts.instagram = { handle: 'acme', reauth_required: true };
    expect((await publisher.readAccounts(USER))?.photo_feed).toMatchObject({
      state: 'reauth_required',
      handle: 'acme',
    });
  });

  test('somebody else’s profile is never taken for ours', async () => {
    const body = JSON.stringify({ success: true, profile: { username: 'other' } });
    sim.faults.next({ kind: 'body', body });
    expect((await failureOf(publisher.readAccounts(USER))).failure).toBe('malformed');
  });

  test('are removed, also when they are gone', async () => {
    await publisher.ensureProfile(USER);
    await publisher.deleteProfile(USER);
    await publisher.deleteProfile(USER);
    expect(sim.state.profiles.size).toBe(0);
    expect(sim.violations).toEqual([]);
  });
});

describe('the connect page', () => {
  test('connects the platform that was asked for, once', async () => {
    await publisher.ensureProfile(USER);
    const page = await publisher.connectPage(USER, 'photo_feed');
    const visit = () => fetch(`${page}&platform=instagram`, { method: 'POST', redirect: 'manual' });
    expect((await visit()).headers.get('location')).toContain('connect_status=success');
    expect((await visit()).status).toBe(410);
    expect((await publisher.readAccounts(USER))?.photo_feed.state).toBe('connected');
    expect(sim.violations).toEqual([]);
  });

  test('needs a profile, and must be a web address', async () => {
    expect((await failureOf(publisher.connectPage(USER, 'photo_feed'))).failure).toBe('not_found');
    sim.faults.next({ kind: 'body', body: '{"success":true,"access_url":"javascript:alert(1)"}' });
    expect((await failureOf(publisher.connectPage(USER, 'photo_feed'))).failure).toBe('malformed');
  });
});

describe('scheduled posts', () => {
  const job = (index: number) => ({
    job_id: `job-${String(index).padStart(4, '0')}`,
    scheduled_date: new Date(NOW.getTime() + index * 60_000).toISOString(),
    post_type: 'video',
    platforms: ['instagram'],
  });

  beforeEach(async () => {
    await publisher.ensureProfile(USER);
    await publisher.ensureProfile('app_2');
  });

  test.each([0, 1, 9, 10, 99, 100, 101, 250])('%d are all read', async (count) => {
    profile().jobs = Array.from({ length: count }, (_, index) => job(index));
    const posts = await publisher.scheduled(USER);
    expect(posts.map((post) => post.jobId)).toEqual(profile().jobs.map((each) => each.job_id));
  });

  test('are all read when the provider cuts pages short', async () => {
    sim.state.largestSchedulePage = 50;
    profile().jobs = Array.from({ length: 120 }, (_, index) => job(index));
    expect((await publisher.scheduled(USER)).length).toBe(120);
  });

  test('of the older form are read, also when it ignores the offset', async () => {
    sim.state.bareSchedule = true;
    sim.state.ignoresScheduleOffset = true;
    profile().jobs = Array.from({ length: 40 }, (_, index) => job(index));
    expect((await publisher.scheduled(USER)).length).toBe(40);
  });

  test('of another profile do not appear when the filter is ignored', async () => {
    sim.state.ignoresProfileFilter = true;
    profile().jobs = [job(1)];
    const other = sim.state.profiles.get('app_2');
    if (other) other.jobs = [job(2), job(3)];
    expect((await publisher.scheduled(USER)).map((post) => post.jobId)).toEqual(['job-0001']);
  });

  test('a row that makes no sense leaves the others', async () => {
    profile().jobs = [job(1), { job_id: 'x', scheduled_date: 'soon' }];
    expect((await publisher.scheduled(USER)).length).toBe(1);
  });
});

describe('history', () => {
  const row = (index: number, changes: Record<string, unknown> = {}) => ({
    profile_username: USER,
    platform: 'tiktok',
    media_type: 'video',
    upload_timestamp: new Date(NOW.getTime() - index * 60_000).toISOString(),
    success: true,
    post_url: `https://t.example/${index}`,
    platform_post_id: [1],
    request_id: `r${index}`,
    ...changes,
  });

  test('is empty before anything was published', async () => {
    expect(await publisher.history(USER)).toEqual({ posts: [], total: 0 });
  });

  test('gives the newest 100 and counts all', async () => {
    sim.state.history = Array.from({ length: 250 }, (_, index) => row(index));
    const { posts, total } = await publisher.history(USER);
    expect(posts.length).toBe(100);
    expect(posts[0]?.postUrl).toBe('https://t.example/0');
    expect(total).toBe(250);
    expect(sim.violations).toEqual([]);
  });

  test('pages on past rows of platforms that are not exposed', async () => {
    sim.state.history = Array.from({ length: 220 }, (_, index) =>
      row(index, index % 2 ? { platform: 'youtube' } : {}),
    );
    const { posts, total } = await publisher.history(USER);
    expect(posts.length).toBe(100);
    expect(posts.every((post) => post.platform === 'short_video')).toBe(true);
    expect(total).toBe(120);
  });

  test('shows nobody else’s posts when the filter is ignored, nor counts them', async () => {
    sim.state.ignoresProfileFilter = true;
    sim.state.history = Array.from({ length: 150 }, (_, index) =>
      row(index, index % 3 ? { profile_username: 'app_2' } : {}),
    );
    const { posts, total } = await publisher.history(USER);
    expect(posts.length).toBe(50);
    expect(total).toBe(50);
  });

  test('a row that comes again on the next page counts once', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => row(index, { platform: 'youtube' }));
    const first = JSON.stringify({ history: rows, total: 101 });
    const again = JSON.stringify({ history: [rows[99], row(100)], total: 101 });
    sim.faults.next({ kind: 'body', body: first });
    sim.faults.next({ kind: 'body', body: again });
    expect(await publisher.history(USER)).toMatchObject({ total: 1 });
  });
});

describe('performance', () => {
  test('asks nothing for no platform', async () => {
    expect(await publisher.performance(USER, [])).toEqual([]);
    expect(sim.requests).toEqual([]);
  });

  test('a platform that failed inside the 200 has no figures', async () => {
    await publisher.ensureProfile(USER);
    profile().analytics = { instagram: { followers: 47, metric_type: 'reach' } };
    const [feed, video] = await publisher.performance(USER, ['photo_feed', 'short_video']);
    expect(feed).toMatchObject({ platform: 'photo_feed', followers: 47, reach: null });
    expect(video).toMatchObject({ platform: 'short_video', followers: null, primaryMetric: null });
  });
});

describe('faults', () => {
  const calls: [string, () => Promise<unknown>][] = [
    ['ensureProfile', () => publisher.ensureProfile(USER)],
    ['readAccounts', () => publisher.readAccounts(USER)],
    ['connectPage', () => publisher.connectPage(USER, 'short_video')],
    ['scheduled', () => publisher.scheduled(USER)],
    ['history', () => publisher.history(USER)],
    ['performance', () => publisher.performance(USER, ['photo_feed'])],
    ['deleteProfile', () => publisher.deleteProfile(USER)],
  ];
  const status = (code: number, body: unknown) =>
    ({ kind: 'status', status: code, body: JSON.stringify(body) }) as const;

  describe.each(calls)('%s', (_name, call) => {
    test.each<[string, Parameters<PublisherSimulator['faults']['next']>[0], ProviderFailure]>([
      ['400', status(400, { error: 'Invalid limit' }), 'invalid'],
      ['401', status(401, { success: false, message: 'Invalid API key' }), 'unauthorized'],
      ['403', status(403, { success: false, error: 'Forbidden' }), 'forbidden'],
      ['429 as text', { kind: 'status', status: 429, body: 'slow down' }, 'rate_limited'],
      ['500 with HTML', HTML_500, 'unavailable'],
      ['a hang-up', { kind: 'hang_up' }, 'unavailable'],
      ['a cut', { kind: 'cut' }, 'unavailable'],
      ['a refusal inside a 200', { kind: 'body', body: '{"success":false}' }, 'invalid'],
      ['a 200 with HTML', { kind: 'body', body: '<html></html>' }, 'malformed'],
    ])('%s', async (_fault, fault, failure) => {
      sim.faults.next(fault);
      expect((await failureOf(call())).failure).toBe(failure);
    });

    test('silence', async () => {
      const usual = publisher;
      publisher = connectTo({ timeoutMs: 40 });
      sim.faults.next({ kind: 'silent' });
      expect((await failureOf(call())).failure).toBe('unavailable');
      publisher = usual;
    });
  });

  test('another JSON than documented is malformed', async () => {
    const reads = calls.filter(([name]) => !/ensure|delete/.test(name));
    for (const [, call] of reads) {
      sim.faults.next({ kind: 'body', body: '"text"' });
      expect((await failureOf(call())).failure).toBe('malformed');
    }
  });

  test('a wrong key is refused by the service itself', async () => {
    publisher = connectTo({ apiKey: 'wrong' });
    expect((await failureOf(publisher.history(USER))).failure).toBe('unauthorized');
  });
});

describe('the limit', () => {
  test('what the headers say is noted, the reset as seconds from now', async () => {
    const notes: unknown[] = [];
    const gate: ProviderRateLimit = {
      take: async () => null,
      note: async (provider, allowance) => {
        notes.push([provider, allowance]);
      },
    };
    publisher = connectTo({ gate });
    sim.state.limit = { requests: 2, windowSeconds: 30 };
    await publisher.history(USER);
    await publisher.history(USER);
    const error = await failureOf(publisher.history(USER));
    expect(error.retryAfterSeconds).toBe(30);
    expect(notes).toEqual([
      ['publisher', { remaining: 1, resetInSeconds: 30 }],
      ['publisher', { remaining: 0, resetInSeconds: 30 }],
      ['publisher', { remaining: 0, resetInSeconds: 30 }],
    ]);
  });

  test('one account’s daily cap does not hold the others back', async () => {
    const notes: unknown[] = [];
    publisher = connectTo({
      gate: { take: async () => null, note: async (...args) => void notes.push(args) },
    });
    const body = JSON.stringify({ success: false, violations: [{ platform: 'instagram' }] });
    sim.faults.next({ kind: 'status', status: 429, body });
    expect((await failureOf(publisher.history(USER))).failure).toBe('rate_limited');
    expect(notes).toEqual([]);
  });

  test('an allowance without end is noted as one that the database can hold', async () => {
    const notes: { remaining: number }[] = [];
    sim.state.limit.requests = Number.MAX_SAFE_INTEGER;
    publisher = connectTo({
      gate: { take: async () => null, note: async (_, note) => void notes.push(note) },
    });
    await publisher.history(USER);
    expect(notes.map(({ remaining }) => remaining)).toEqual([1_000_000]);
  });

  test('a closed gate asks nothing of the provider', async () => {
    publisher = connectTo({ gate: { take: async () => 12, note: async () => {} } });
    const error = await failureOf(publisher.scheduled(USER));
    expect([error.failure, error.retryAfterSeconds]).toEqual(['rate_limited', 12]);
    expect(sim.requests).toEqual([]);
  });
});
