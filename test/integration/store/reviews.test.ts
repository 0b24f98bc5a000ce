import { afterEach, describe, expect, test } from 'bun:test';
import { forgetReviews } from '../../../src/modules/reviews/collect.ts';
import { collectReviews } from '../../../src/modules/reviews/index.ts';
import { refreshAppsDaily } from '../../../src/modules/sales/index.ts';
import { makeKey } from '../../simulators/store/auth.ts';
import type { SimulatedReview } from '../../simulators/store/reviews.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import { randomFrom } from '../../support/random.ts';
import { createTestApp, createTestOrg } from '../../support/service.ts';
import { NOON, placeConnection, startStoreSuite } from '../../support/store.ts';

const database = await testDatabase();
const suite = await startStoreSuite(database);
await startTestQueries(suite.deps);
const { account } = suite.store;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const after = (ms: number) => new Date(NOON.getTime() + ms);
const TERRITORIES = [
  ['USA', 'US'],
  ['DEU', 'DE'],
  ['JPN', 'JP'],
] as const;

afterEach(() => {
  suite.setNow(NOON);
  account.reviews.clear();
  account.trouble.clear();
  account.reviewsAllowed = true;
  account.pageSize = 200;
  account.remainingInHour = 3_500;
  account.apps[0]!.versions.splice(1);
});

/** An organization of its own whose app is linked to the first store app. */
async function linked() {
  account.keys.splice(0, 1, makeKey(crypto.randomUUID(), crypto.randomUUID().slice(0, 10)));
  const org = await createTestOrg(suite);
  await placeConnection(suite, org.orgId);
  await refreshAppsDaily(suite.ctx, { orgId: org.orgId });
  const app = await createTestApp(suite, org.orgId);
  const storeAppId = account.apps[0]!.id;
  const link = await suite.call('/v1/store/apps/link', {
    method: 'POST',
    headers: org.key,
    body: { storeAppId, appId: app.appId },
  });
  expect(link.status).toBe(200);
  const get = (path = '') =>
    suite.call(`/v1/apps/${app.appId}/reviews${path}`, { headers: org.key });
  const collect = async (atMs: number) => {
    suite.setNow(after(atMs));
    account.reviewPages = 0;
    await collectReviews(suite.ctx, { orgId: org.orgId });
  };
  return { org, app, storeAppId, get, collect };
}

function review(number: number, createdMs: number, change: Partial<SimulatedReview> = {}) {
  return {
    id: `00000005-${String(number).padStart(4, '0')}`,
    rating: 1 + (number % 5),
    title: `Title ${number}`,
    body: 'Works',
    reviewerNickname: `person${number}`,
    // The same instant, as the store writes it on the American west coast.
    createdDate: new Date(createdMs - 7 * HOUR_MS).toISOString().replace('.000Z', '-07:00'),
    territory: TERRITORIES[number % 3]![0],
    ...change,
  };
}
const many = (count: number, newestMs = NOON.getTime() - HOUR_MS): SimulatedReview[] =>
  Array.from({ length: count }, (_, number) =>
    review(number, newestMs - (count - number) * 60_000),
  );

async function everyPage(get: (path: string) => Promise<any>, query: string) {
  const found: any[] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await get(`?limit=7${query}${cursor ? `&cursor=${cursor}` : ''}`);
    expect(status).toBe(200);
    found.push(...body.reviews);
    cursor = body.nextCursor;
  } while (cursor !== null);
  return found;
}

describe('written reviews', () => {
  test('are there once, newest first, through pages and filters, as in plain loops', async () => {
    account.apps[0]!.versions.push({
      platform: 'IOS',
      versionString: '1.5',
      appStoreState: 'READY_FOR_SALE',
      createdDate: new Date(NOON.getTime() - 2 * HOUR_MS).toISOString(),
    });
    const { storeAppId, get, collect } = await linked();
    const random = randomFrom(35);
    const all = Array.from({ length: 120 }, (_, number) =>
      review(number, NOON.getTime() - Math.floor(random() * 240) * 60_000, {
        rating: 1 + Math.floor(random() * 5),
        territory: TERRITORIES[Math.floor(random() * 3)]![0],
      }),
    );
    account.reviews.set(storeAppId, all);
    account.pageSize = 13;
    await collect(0);
    const border = NOON.getTime() - 2 * HOUR_MS;
    const expected = all
      .map(({ id, createdDate, territory, rating }) => ({
        id,
        rating,
        territory: TERRITORIES.find(([three]) => three === territory)![1],
        createdMs: Date.parse(createdDate),
        appVersion: Date.parse(createdDate) < border ? '1.4' : '1.5',
      }))
      .toSorted((a, b) => b.createdMs - a.createdMs || (a.id < b.id ? 1 : -1));
    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
    expect(ids(await everyPage(get, ''))).toEqual(ids(expected));
    for (const rating of [1, 5]) {
      for (const territory of ['US', 'jp']) {
        for (const version of ['1.4', '1.5', '9.9']) {
          const found = await everyPage(
            get,
            `&rating=${rating}&territory=${territory}&version=${version}`,
          );
          const wanted = expected.filter(
            (one) =>
              one.rating === rating &&
              one.territory === territory.toUpperCase() &&
              one.appVersion === version,
          );
          expect(ids(found)).toEqual(ids(wanted));
        }
      }
    }
    const { body: summary } = await get('/summary');
    expect(summary.reviews).toBe(120);
    for (const version of summary.versions) {
      const own = expected.filter(({ appVersion }) => appVersion === version.appVersion);
      const mean = own.reduce((sum, { rating }) => sum + rating, 0) / own.length;
      expect(version.reviews).toBe(own.length);
      expect(version.mean).toBeCloseTo(mean, 10);
    }
    expect(summary.versions.map((one: any) => one.appVersion)).toEqual(['1.5', '1.4']);
  });

  test('a second walk reads to what is known; a new and an edited one come in', async () => {
    const { storeAppId, get, collect } = await linked();
    const all = many(60);
    account.reviews.set(storeAppId, all);
    account.pageSize = 10;
    await collect(0);
    expect(account.reviewPages).toBe(6);
    await collect(10 * 60_000);
    expect(account.reviewPages).toBe(0);
    // The edited one is at the head, below it a new one: what is known by its id ends no walk.
    all[3] = { ...all[3]!, rating: 1, createdDate: after(30 * 60_000).toISOString() };
    all.push(review(60, NOON.getTime() + 20 * 60_000));
    await collect(HOUR_MS);
    expect(account.reviewPages).toBe(1);
    const found = await everyPage(get, '');
    expect(found).toHaveLength(61);
    expect(found[0]).toMatchObject({ id: all[3]!.id, rating: 1 });
    expect(found[1].id).toBe(all.at(-1)!.id);
  });

  test('a walk that broke off leaves no gap', async () => {
    const { storeAppId, get, collect } = await linked();
    account.pageSize = 10;
    const all = many(20);
    account.reviews.set(storeAppId, all);
    await collect(0);
    all.push(
      ...Array.from({ length: 40 }, (_, index) =>
        review(20 + index, NOON.getTime() + index * 1_000),
      ),
    );
    account.remainingInHour = 100;
    await collect(HOUR_MS);
    expect(account.reviewPages).toBe(1);
    account.remainingInHour = 3_500;
    await collect(2 * HOUR_MS);
    expect(await everyPage(get, '')).toHaveLength(60);
  });

  test('what the store deletes is gone within a week', async () => {
    const { storeAppId, get, collect } = await linked();
    account.reviews.set(storeAppId, many(30));
    await collect(0);
    account.reviews.set(storeAppId, many(30).slice(5));
    await collect(DAY_MS);
    expect(await everyPage(get, '')).toHaveLength(30);
    await collect(7 * DAY_MS);
    expect(await everyPage(get, '')).toHaveLength(25);
  });

  test('are forgotten 90 days after they were last read through, and with the link at deletion', async () => {
    const { storeAppId, get, collect } = await linked();
    account.reviews.set(storeAppId, many(3));
    await collect(0);
    suite.setNow(after(89 * DAY_MS));
    await forgetReviews(suite.deps);
    expect((await get()).body.reviews).toHaveLength(3);
    suite.setNow(after(91 * DAY_MS));
    await forgetReviews(suite.deps);
    expect((await get()).body.reviews).toHaveLength(0);
  });

  test('a key that may not read them costs only them', async () => {
    const { storeAppId, get, collect } = await linked();
    account.reviews.set(storeAppId, many(3));
    account.reviewsAllowed = false;
    await collect(0);
    expect((await get()).body).toMatchObject({
      reviews: [],
      checkedAt: null,
      lastError: expect.stringContaining('may not read reviews'),
    });
    account.reviewsAllowed = true;
    await collect(HOUR_MS);
    expect((await get()).body).toMatchObject({
      checkedAt: after(HOUR_MS).toISOString(),
      lastError: null,
    });
  });

  test('the limit of the store ends the walk, and the next one goes on', async () => {
    const { storeAppId, get, collect } = await linked();
    account.reviews.set(storeAppId, many(3));
    account.trouble.set(account.keys[0]!.keyId, 'rate_limited');
    await collect(0);
    expect((await get()).body.lastError).toContain('rate limiting');
    account.trouble.clear();
    await collect(HOUR_MS);
    expect((await get()).body.reviews).toHaveLength(3);
  });

  test('of nobody else: another organization, a cursor of nowhere, an app without a store app', async () => {
    const { org, app, get } = await linked();
    const other = await createTestOrg(suite);
    expect((await suite.call(`/v1/apps/${app.appId}/reviews`, { headers: other.key })).status).toBe(
      404,
    );
    expect((await get('?cursor=AAAA')).status).toBe(400);
    expect((await get('?rating=6')).status).toBe(400);
    const alone = await createTestApp(suite, org.orgId);
    const { body } = await suite.call(`/v1/apps/${alone.appId}/reviews/summary`, {
      headers: org.key,
    });
    expect(body).toEqual({
      reviews: 0,
      mean: null,
      versions: [],
      checkedAt: null,
      lastError: null,
    });
  });
});

test('a version that people like less is an insight, and its release a mark', async () => {
  const { org, app, storeAppId, get, collect } = await linked();
  // Seen a day later: the version was not on sale at the last look.
  suite.setNow(after(DAY_MS));
  account.apps[0]!.versions.unshift({
    platform: 'IOS',
    versionString: '2.1',
    appStoreState: 'READY_FOR_SALE',
    createdDate: new Date(NOON.getTime() - DAY_MS).toISOString(),
  });
  await refreshAppsDaily(suite.ctx, { orgId: org.orgId });
  const good = Array.from({ length: 60 }, (_, index) =>
    review(index, NOON.getTime() - index * 1_000, { rating: index % 5 === 0 ? 3 : 5 }),
  );
  const bad = Array.from({ length: 40 }, (_, index) =>
    review(100 + index, after(DAY_MS).getTime() + index * 1_000, { rating: 1 + (index % 4) }),
  );
  account.reviews.set(storeAppId, [...good, ...bad]);
  await collect(2 * DAY_MS);
  const insights = await suite.call(`/v1/apps/${app.appId}/insights`, { headers: org.key });
  expect(insights.body.recommendations).toContainEqual(
    expect.objectContaining({
      code: 'version_reviews',
      severity: 'act',
      title: '2.1: mean 2.5 of 40 reviews, 4.6 before',
    }),
  );
  expect((await get('/summary')).body.versions[0]).toMatchObject({
    appVersion: '2.1',
    isSeen: true,
    before: { appVersion: '1.4', isBeyondChance: true },
  });
  const marks = await suite.call(`/v1/apps/${app.appId}/marks?days=7`, { headers: org.key });
  expect(marks.body.marks).toContainEqual(
    expect.objectContaining({
      kind: 'release',
      appVersion: '2.1',
      at: after(DAY_MS).toISOString(),
    }),
  );
});
