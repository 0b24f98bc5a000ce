import { beforeEach, describe, expect, test } from 'bun:test';
import { removeMarketing } from '../../../src/modules/marketing/connect.ts';
import { createPublisher } from '../../../src/providers/publisher/client.ts';
import { createProviderRateLimit } from '../../../src/storage/provider-rate-limit.ts';
import { type Fault, HTML_500 } from '../../simulators/kit/faults.ts';
import { startPublisherSimulator } from '../../simulators/publisher/simulator.ts';
import { signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const database = await testDatabase();
const sim = await startPublisherSimulator();
const service = await startTestService(database, {
  env: { PUBLISHER_API_URL: sim.apiUrl, PUBLISHER_API_KEY: 'sim-key' },
});
/** Waits for the provider no longer than a test wants to. */
const impatient = await startTestService(database, {
  with: (deps) => ({
    publisher: createPublisher({
      baseUrl: sim.apiUrl,
      apiKey: 'sim-key',
      gate: createProviderRateLimit(deps.sql),
      clock: deps.clock,
      timeoutMs: 80,
    }),
  }),
});
const unconfigured = await startTestService(database);
const org = await createTestOrg(service);
const headers = await signInAs(service, org);

beforeEach(async () => {
  sim.faults.clear();
  sim.state.limit = { requests: 1_000_000, windowSeconds: 60 };
  sim.state.used = null;
  await service.deps.sql`DELETE FROM provider_limits`;
});

const get = (appId: string, path: string, on = service) =>
  on.call(`/v1/apps/${appId}/marketing${path}`, { headers });
const post = (appId: string, path: string, on = service) =>
  on.call(`/v1/apps/${appId}/marketing${path}`, { method: 'POST', headers });
const newApp = async () => (await createTestApp(service, org.orgId)).appId;

/** Goes through the hosted page as a person would. */
async function connect(appId: string, platform: 'photo_feed' | 'short_video'): Promise<void> {
  const { body } = await post(appId, `/connections/${platform}/connect`);
  const theirs = platform === 'photo_feed' ? 'instagram' : 'tiktok';
  await fetch(`${body.accessUrl}&platform=${theirs}`, { method: 'POST', redirect: 'manual' });
}

const NONE = {
  status: 'not_connected',
  handle: null,
  displayName: null,
  profileImageUrl: null,
  connectedAt: null,
};

describe('connections', () => {
  test('are not connected at first, and nobody is asked', async () => {
    const appId = await newApp();
    const before = sim.requests.length;
    const answer = await get(appId, '/connections');
    expect(answer.body).toEqual({
      appId,
      photo_feed: NONE,
      short_video: NONE,
      lastCheckedAt: null,
      publisherUsername: null,
    });
    expect(sim.requests.length).toBe(before);
  });

  test('connecting shows after a refresh, not by the page’s own word', async () => {
    const appId = await newApp();
    await connect(appId, 'photo_feed');
    const before = await get(appId, '/connections');
    expect(before.body).toMatchObject({ photo_feed: NONE, publisherUsername: appId });
    const refreshed = await post(appId, '/connections/refresh');
    expect(refreshed.status).toBe(200);
    expect(refreshed.body.photo_feed).toMatchObject({
      status: 'connected',
      handle: `${appId}.instagram`,
      displayName: 'Acme',
      profileImageUrl: 'https://images.example/acme.jpg',
      connectedAt: expect.any(String),
    });
    expect(refreshed.body.short_video).toEqual(NONE);
    expect(refreshed.body.lastCheckedAt).toEqual(expect.any(String));
    expect((await get(appId, '/connections')).body).toEqual(refreshed.body);
    expect(sim.violations).toEqual([]);
  });

  test('the time of connecting stays until the account goes', async () => {
    const appId = await newApp();
    await connect(appId, 'short_video');
    const first = (await post(appId, '/connections/refresh')).body.short_video.connectedAt;
    expect((await post(appId, '/connections/refresh')).body.short_video.connectedAt).toBe(first);
    const profile = sim.state.profiles.get(appId);
    for (const gone of ['', null] as const) {
      if (profile) profile.accounts.tiktok = gone;
      expect((await post(appId, '/connections/refresh')).body.short_video).toEqual(NONE);
    }
    if (profile) profile.accounts = {};
    expect((await post(appId, '/connections/refresh')).body.short_video).toEqual(NONE);
  });

  test('an account that must sign in again is not connected and keeps its names', async () => {
    const appId = await newApp();
    await connect(appId, 'photo_feed');
    const account = sim.state.profiles.get(appId)?.accounts.instagram;
    if (account) account.reauth_required = true;
    expect((await post(appId, '/connections/refresh')).body.photo_feed).toMatchObject({
      status: 'not_connected',
      handle: `${appId}.instagram`,
      displayName: 'Acme',
      connectedAt: null,
    });
  });

  test('connecting at the same moment makes one profile', async () => {
    const appId = await newApp();
    const pages = await Promise.all([
      post(appId, '/connections/photo_feed/connect'),
      post(appId, '/connections/short_video/connect'),
    ]);
    expect(pages.map((page) => page.status)).toEqual([200, 200]);
    expect([...sim.state.profiles.keys()].filter((name) => name === appId).length).toBe(1);
  });

  test('a profile that was removed at the provider is made again', async () => {
    const appId = await newApp();
    await connect(appId, 'photo_feed');
    sim.state.profiles.delete(appId);
    expect((await post(appId, '/connections/refresh')).body.publisherUsername).toBeNull();
    expect((await post(appId, '/connections/photo_feed/connect')).status).toBe(200);
    sim.state.profiles.delete(appId);
    expect((await post(appId, '/connections/photo_feed/connect')).status).toBe(200);
    expect(sim.state.profiles.has(appId)).toBe(true);
  });

  test('400 for another platform', async () => {
    const answer = await post(await newApp(), '/connections/video_site/connect');
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_input']);
    expect(answer.body.error.hint).toContain('platform');
  });
});

describe('posts and figures', () => {
  test('of an app without a profile are none, and nobody is asked', async () => {
    const appId = await newApp();
    const before = sim.requests.length;
    expect((await get(appId, '/scheduled')).body).toEqual([]);
    expect((await get(appId, '/history')).body).toEqual({ posts: [], total: 0 });
    expect((await get(appId, '/analytics')).body).toEqual([]);
    expect(sim.requests.length).toBe(before);
  });

  test('of other apps never appear, even when the provider ignores the filter', async () => {
    const [mine, theirs] = [await newApp(), await newApp()];
    for (const appId of [mine, theirs]) await connect(appId, 'photo_feed');
    for (const appId of [mine, theirs]) {
      sim.state.profiles.get(appId)?.jobs.push({
        job_id: `job-${appId}`,
        scheduled_date: '2027-01-01T10:00:00',
        post_type: 'video',
        platforms: ['instagram', 'youtube'],
      });
      sim.state.history.push({
        profile_username: appId,
        platform: 'instagram',
        media_type: 'image',
        upload_timestamp: '2026-11-01T10:00:00Z',
        success: false,
        post_url: null,
        error_message: 'Too wide',
        request_id: appId,
      });
    }
    sim.state.ignoresProfileFilter = true;
    const scheduled = await get(mine, '/scheduled');
    expect(scheduled.body).toEqual([
      {
        jobId: `job-${mine}`,
        scheduledAt: '2027-01-01T10:00:00.000Z',
        postType: 'video',
        platforms: ['photo_feed'],
        title: null,
        caption: null,
        previewUrl: null,
        thumbnailUrl: null,
      },
    ]);
    const history = await get(mine, '/history');
    expect(history.body).toMatchObject({
      total: 1,
      posts: [{ platform: 'photo_feed', success: false, errorMessage: 'Too wide' }],
    });
    sim.state.ignoresProfileFilter = false;
  });

  test('performance has one entry for each connected platform', async () => {
    const appId = await newApp();
    await connect(appId, 'photo_feed');
    await connect(appId, 'short_video');
    await post(appId, '/connections/refresh');
    const profile = sim.state.profiles.get(appId);
    if (profile) {
      profile.analytics.instagram = {
        followers: 47,
        likes: 0,
        primary_impressions_field: 'reach',
        reach_timeseries: [{ date: '2026-11-01', value: 3 }],
      };
    }
    const { body } = await get(appId, '/analytics');
    expect(body[0]).toMatchObject({
      platform: 'photo_feed',
      followers: 47,
      likes: 0,
      reach: null,
      primaryMetric: 'reach',
      timeseries: [{ date: '2026-11-01', value: 3 }],
    });
    expect(body[1]).toMatchObject({ platform: 'short_video', followers: null, timeseries: [] });
    expect(sim.violations).toEqual([]);
  });
});

describe('the provider’s failures', () => {
  const json = (status: number, body: unknown, extra: Record<string, string> = {}): Fault => ({
    kind: 'status',
    status,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...extra },
  });
  const soon = () => String(Math.ceil(Date.now() / 1_000) + 40);
  const faults: [string, () => Fault][] = [
    ['401', () => json(401, { success: false, message: 'Invalid API key' })],
    ['403', () => json(403, { success: false, error_code: 'PROFILE_LIMIT_REACHED' })],
    ['400', () => json(400, { error: 'Invalid limit' })],
    ['429', () => json(429, { message: 'slow' }, { 'x-ratelimit-reset': soon() })],
    ['500 with HTML', () => HTML_500],
    ['a cut', () => ({ kind: 'cut' })],
    ['a hang-up', () => ({ kind: 'hang_up' })],
    ['another JSON', () => ({ kind: 'body', body: '7' })],
    ['HTML in a 200', () => ({ kind: 'body', body: '<html>' })],
  ];
  type Ask = (appId: string, on?: typeof service) => ReturnType<typeof get>;
  const routes: [string, string, Ask][] = [
    ['connect', 'generate-jwt', (appId, on) => post(appId, '/connections/photo_feed/connect', on)],
    ['refresh', 'users/', (appId, on) => post(appId, '/connections/refresh', on)],
    ['scheduled', 'schedule', (appId, on) => get(appId, '/scheduled', on)],
    ['history', 'history', (appId, on) => get(appId, '/history', on)],
    ['analytics', 'analytics', (appId, on) => get(appId, '/analytics', on)],
  ];

  test.each(
    routes.flatMap(([name, match, call]) =>
      faults.map(([fault, make]) => [`${name}: ${fault}`, match, call, make] as const),
    ),
  )('%s is 502 provider_rejected', async (name, match, call, make) => {
    const appId = await newApp();
    await connect(appId, 'photo_feed');
    await post(appId, '/connections/refresh');
    const fault = make();
    // A read on a connection that breaks is repeated once by the runtime itself.
    sim.faults.next(fault, { times: 2, match: new RegExp(match) });
    const answer = await call(appId);
    expect([answer.status, answer.body.error.code]).toEqual([502, 'provider_rejected']);
    expect(answer.text).not.toContain('sim-key');
    if (name.endsWith('429')) {
      const wait = Number(answer.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(30);
      expect(wait).toBeLessThanOrEqual(41);
    }
  });

  test.each(routes)('%s: silence is 502 after the time limit', async (_name, match, call) => {
    const appId = await newApp();
    await connect(appId, 'photo_feed');
    await post(appId, '/connections/refresh');
    sim.faults.next({ kind: 'silent' }, { times: 2, match: new RegExp(match) });
    const answer = await call(appId, impatient);
    expect([answer.status, answer.body.error.code]).toEqual([502, 'provider_rejected']);
  });

  test.each(routes)('%s: not found and conflict', async (name, match, call) => {
    const appId = await newApp();
    await connect(appId, 'photo_feed');
    await post(appId, '/connections/refresh');
    for (const status of [404, 409]) {
      const body = status === 404 ? { error_code: 'PROFILE_NOT_FOUND' } : {};
      sim.faults.next(json(status, { success: false, ...body }), { match: new RegExp(match) });
      const answer = await call(appId);
      // A profile that is not there is nothing to fail about where it can be made or is read.
      const isFine = status === 404 && (name === 'refresh' || name === 'connect');
      expect(answer.status).toBe(isFine ? 200 : 502);
    }
  });

  const foreign: [string, Fault][] = [
    ['a gateway’s page', { kind: 'status', status: 404, body: '<html>Not Found</html>' }],
    ['JSON of somebody else', json(404, { message: 'no Route matched with those values' })],
    ['another thing that is missing', json(404, { success: false, error: 'Job not found' })],
    ['an empty 404', { kind: 'status', status: 404, body: '' }],
  ];

  test.each(foreign)('%s says nothing about the profile: it is kept', async (_, fault) => {
    const appId = await newApp();
    await connect(appId, 'photo_feed');
    const before = (await post(appId, '/connections/refresh')).body;
    expect(before.photo_feed.status).toBe('connected');
    const asks = [
      () => post(appId, '/connections/refresh'),
      () => post(appId, '/connections/photo_feed/connect'),
    ];
    for (const ask of asks) {
      sim.faults.next(fault);
      const answer = await ask();
      expect([answer.status, answer.body.error.code]).toEqual([502, 'provider_rejected']);
    }
    expect((await get(appId, '/connections')).body).toEqual(before);
    sim.faults.next(fault);
    const removal = removeMarketing(
      { deps: service.deps, requestId: 'test' },
      { orgId: org.orgId, appId },
    );
    await expect(removal).rejects.toMatchObject({ code: 'unavailable' });
    expect(sim.state.profiles.has(appId)).toBe(true);
  });

  test.each([
    ['by its code', { success: false, error_code: 'PROFILE_NOT_FOUND' }],
    ['by its words', { success: false, message: 'Profile not found' }],
  ])('a profile that the provider says is unknown (%s) is not connected', async (_, body) => {
    const appId = await newApp();
    await connect(appId, 'photo_feed');
    await post(appId, '/connections/refresh');
    sim.faults.next(json(404, body));
    const answer = await post(appId, '/connections/refresh');
    expect([answer.status, answer.body.photo_feed.status]).toEqual([200, 'not_connected']);
  });

  test('being told to wait holds every request back, without asking again', async () => {
    const appId = await newApp();
    await connect(appId, 'photo_feed');
    sim.faults.next(json(429, {}, { 'x-ratelimit-reset': soon() }));
    expect((await get(appId, '/history')).status).toBe(502);
    const before = sim.requests.length;
    const held = await get(appId, '/scheduled');
    expect([held.status, held.body.error.code]).toEqual([502, 'provider_rejected']);
    expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(30);
    expect(sim.requests.length).toBe(before);
  });
});

describe('without a provider', () => {
  test('503, but what is known can be read', async () => {
    const appId = await newApp();
    expect((await get(appId, '/connections', unconfigured)).status).toBe(200);
    for (const answer of [
      await post(appId, '/connections/photo_feed/connect', unconfigured),
      await post(appId, '/connections/refresh', unconfigured),
      await get(appId, '/scheduled', unconfigured),
      await get(appId, '/history', unconfigured),
      await get(appId, '/analytics', unconfigured),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([503, 'provider_not_configured']);
    }
  });
});

describe('who may', () => {
  const paths: [string, string][] = [
    ['GET', '/connections'],
    ['POST', '/connections/photo_feed/connect'],
    ['POST', '/connections/refresh'],
    ['GET', '/scheduled'],
    ['GET', '/history'],
    ['GET', '/analytics'],
  ];

  test.each(paths)('%s %s needs a session, and the app to be theirs', async (method, path) => {
    const appId = await newApp();
    const stranger = await signInAs(service, await createTestOrg(service));
    const ask = (who: Record<string, string>, id = appId) =>
      service.call(`/v1/apps/${id}/marketing${path}`, { method, headers: who });
    expect((await ask({})).status).toBe(401);
    expect((await ask(org.key)).status).toBe(401);
    expect((await ask(stranger)).status).toBe(404);
    expect((await ask(headers, 'app_unknown')).status).toBe(404);
  });
});

describe('removing an app', () => {
  const ctx = { deps: service.deps, requestId: 'test' };

  test('removes its profile at the provider and our record, twice without harm', async () => {
    const appId = await newApp();
    await connect(appId, 'photo_feed');
    await removeMarketing(ctx, { orgId: org.orgId, appId });
    await removeMarketing(ctx, { orgId: org.orgId, appId });
    expect(sim.state.profiles.has(appId)).toBe(false);
    expect((await get(appId, '/connections')).body.publisherUsername).toBeNull();
  });

  test('waits for a provider that fails', async () => {
    const appId = await newApp();
    await connect(appId, 'photo_feed');
    sim.faults.next(HTML_500);
    await expect(removeMarketing(ctx, { orgId: org.orgId, appId })).rejects.toThrow(
      'did not delete',
    );
    expect((await get(appId, '/connections')).body.publisherUsername).toBe(appId);
  });
});
