import { describe, expect, test } from 'bun:test';
import { demoMonth } from '../../../src/demo/month.ts';
import { recordSessions } from '../../../src/demo/send.ts';
import { writeDigest } from '../../../src/modules/digests/index.ts';
import { ONBOARDING_FUNNEL } from '../../../src/modules/funnels/model.ts';
import { findDefaultFunnel } from '../../../src/modules/funnels/queries.ts';
import { readVersionFacts } from '../../../src/modules/insights/version-facts.ts';
import { onlyRow } from '../../../src/shared/assert.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { groundOf, numbersOf } from '../../support/insight-claims.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg } from '../../support/service.ts';
import { NOON, startStoreSuite } from '../../support/store.ts';

const suite = await startStoreSuite(await testDatabase(), { retentionDays: 70 });
const { call, deps } = suite;
await startTestQueries(deps);
const org = await createTestOrg(suite);
const headers = org.key;
const DAY_MS = 86_400_000;
const ctx = { deps, requestId: 'test', orgId: org.orgId, actor: { kind: 'system' as const } };

const FUNNEL = {
  name: 'Main',
  steps: ['app_opened', 'paywall_viewed', 'purchase_completed'].map((event) => ({
    event,
    label: event,
  })),
  isDefault: true,
};

type Came = {
  who: string;
  people: number;
  daysAgo: number;
  appVersion: string;
  platform?: string;
  /** Of each hundred. */
  buyers?: number;
};

async function newApp(funnel = FUNNEL) {
  const app = await createTestApp(suite, org.orgId);
  const path = `/v1/apps/${app.appId}`;
  expect((await call(`${path}/funnels`, { headers, body: funnel })).status).toBe(201);
  /** People who open the app and see the paywall; some of them buy. */
  const come = async ({ who, people, daysAgo, appVersion, platform = 'ios', buyers = 0 }: Came) => {
    const at = (minutes: number) =>
      new Date(NOON.getTime() - daysAgo * DAY_MS + minutes * 60_000).toISOString();
    const events = Array.from({ length: people }, (_, index) => {
      const names = FUNNEL.steps.map(({ event }) => event).slice(0, index % 100 < buyers ? 3 : 2);
      const anonymousId = `${who}-person-${index}`;
      return names.map((name, minutes) => ({ name, ts: at(minutes), anonymousId }));
    }).flat();
    for (let start = 0; start < events.length; start += 100) {
      const body = { events: events.slice(start, start + 100), context: { platform, appVersion } };
      expect((await call('/v1/events', { headers: app.device, body })).status).toBe(202);
    }
  };
  const insights = async () => {
    const { status, body } = await call(`${path}/insights`, { headers });
    expect(status).toBe(200);
    return body;
  };
  return { ...app, come, insights };
}

const ofVersion = ({ recommendations }: any) =>
  recommendations.find(({ code }: any) => code === 'version_conversion');

test('the month of the demo says that 2.4.0 sold worse, and that 2.4.1 came back', async () => {
  const { appId, insights } = await newApp({ ...ONBOARDING_FUNNEL, isDefault: true });
  await recordSessions({ ctx, appId, keyId: 'key_test' }, demoMonth(3_000, NOON.getTime(), 1));
  await compactEverything(deps);
  const body = await insights();
  const found = ofVersion(body);
  expect(found).toMatchObject({
    severity: 'warn',
    step: 4,
    title: '2.4.0 sells a quarter as well',
  });
  expect(found.detail).toMatch(
    /^\d\.\d % bought at the paywall \(\d\.\d–\d\.\d\) against \d+\.\d % on 2\.3\.1 \(\d+\.\d–\d+\.\d\)\. 2\.4\.1: \d+\.\d %\. \d+ people still used 2\.4\.0 yesterday\.$/,
  );
  expect(numbersOf(found)).toEqual(groundOf(found, body, NOON));
  expect(found.comparison).toMatchObject({
    worse: { appVersion: '2.4.0', firstSeenOn: '2026-06-30' },
    before: { appVersion: '2.3.1', firstSeenOn: '2026-06-16' },
    later: { appVersion: '2.4.1', firstSeenOn: '2026-07-07' },
    hasRecovered: true,
  });
  expect(body.versions).toMatchObject({
    hours: 24,
    window: { from: '2026-06-15T07:00:00.000Z', to: '2026-07-14T18:00:00.000Z' },
  });
  const versions = body.versions.figures.map(({ appVersion }: any) => appVersion);
  expect(versions).toEqual(['2.3.1', '2.4.0', '2.4.1']);
});

describe('a version that sells worse than the one before', () => {
  test('is said while it is the newest, 2.10 after 2.9', async () => {
    const { appId, come, insights } = await newApp();
    await come({ who: 'old', people: 800, daysAgo: 20, appVersion: '2.9', buyers: 20 });
    await come({ who: 'new', people: 800, daysAgo: 4, appVersion: '2.10', buyers: 8 });
    const body = await insights();
    const found = ofVersion(body);
    expect(found).toMatchObject({
      severity: 'warn',
      title: '2.10 sells two fifths as well',
      metric: { name: 'rate_from_previous_step', value: 0.08, unit: 'rate' },
      comparison: { later: null, hasRecovered: false, peopleYesterday: 0 },
    });
    expect(found.detail).toStartWith(
      '8.0 % bought at the paywall (6.3–10.1) against 20.0 % on 2.9',
    );
    expect(numbersOf(found)).toEqual(groundOf(found, body, NOON));
    // A digest says its figures too: the title has no step.
    const settings = { isOn: true, timezone: 'UTC', hour: 8 };
    await call('/v1/digests', { method: 'PUT', headers, body: settings });
    await writeDigest(ctx, { orgId: org.orgId, startedMs: NOON.getTime() });
    const digests = await deps.sql<{ digest: any }[]>`
      SELECT digest FROM digests WHERE org_id = ${org.orgId}`;
    const written = onlyRow(digests).digest.apps.find((one: any) => one.appId === appId);
    expect(written.alerts).toEqual([`${found.title}: ${found.detail}`]);
  });

  test('is information once a later one came back and hardly anybody uses it', async () => {
    const { come, insights } = await newApp();
    await come({ who: 'old', people: 800, daysAgo: 25, appVersion: '2.3.1', buyers: 20 });
    await come({ who: 'bad', people: 800, daysAgo: 15, appVersion: '2.4.0', buyers: 8 });
    await come({ who: 'good', people: 800, daysAgo: 5, appVersion: '2.4.1', buyers: 19 });
    await come({ who: 'bad', people: 49, daysAgo: 1, appVersion: '2.4.0' });
    const found = ofVersion(await insights());
    expect(found).toMatchObject({
      severity: 'info',
      comparison: { hasRecovered: true, peopleYesterday: 49 },
    });
    expect(found.detail).toEndWith(' 2.4.1: 19.0 %. 49 people still used 2.4.0 yesterday.');
    await come({ who: 'late', people: 1, daysAgo: 1, appVersion: '2.4.0' });
    expect(ofVersion(await insights()).severity).toBe('warn');
  });

  test('is not made of people who come back without buying', async () => {
    const { come, insights } = await newApp();
    await come({ who: 'old', people: 800, daysAgo: 20, appVersion: '2.3.1', buyers: 20 });
    await come({ who: 'new', people: 800, daysAgo: 4, appVersion: '2.4.0', buyers: 20 });
    // Who was there before the window, and who came on the version before.
    await come({ who: 'early', people: 800, daysAgo: 40, appVersion: '2.3.1' });
    await come({ who: 'early', people: 800, daysAgo: 4, appVersion: '2.4.0' });
    await come({ who: 'old', people: 800, daysAgo: 3, appVersion: '2.4.0' });
    const body = await insights();
    expect(ofVersion(body)).toBeUndefined();
    const [before, now] = body.versions.figures;
    expect([before.people, now.people]).toEqual([800, 800]);
    expect(now.steps[2].rateFromPrevious).toBe(0.2);
  });

  test('is not made of another mix of platforms', async () => {
    const { come, insights } = await newApp();
    const old = { daysAgo: 20, appVersion: '2.3.1' };
    const now = { daysAgo: 4, appVersion: '2.4.0' };
    await come({ ...old, who: 'old-ios', people: 900, buyers: 30 });
    await come({ ...old, who: 'old-android', people: 300, platform: 'android', buyers: 5 });
    await come({ ...now, who: 'new-ios', people: 300, buyers: 30 });
    await come({ ...now, who: 'new-android', people: 900, platform: 'android', buyers: 5 });
    const body = await insights();
    const sold = body.versions.figures.map(({ steps }: any) => steps[2].rateFromPrevious);
    expect(sold).toEqual([0.2375, 0.1125]);
    expect(ofVersion(body)).toBeUndefined();
  });

  test('is not said of few people, nor of names that have no order', async () => {
    const { come, insights } = await newApp();
    await come({ who: 'old', people: 800, daysAgo: 20, appVersion: '2.3.1', buyers: 60 });
    await come({ who: 'few', people: 49, daysAgo: 4, appVersion: '2.4.0' });
    await come({ who: 'dev', people: 800, daysAgo: 4, appVersion: 'main' });
    const body = await insights();
    expect(ofVersion(body)).toBeUndefined();
    expect(body.versions.figures).toMatchObject([
      { appVersion: '2.3.1', verdict: 'ready' },
      {
        appVersion: '2.4.0',
        verdict: 'too_few_people',
        people: 49,
        steps: [{ people: null }, {}, {}],
      },
    ]);
  });
});

describe('insights without an answer about versions', () => {
  test('are the others', async () => {
    const { come, insights } = await newApp();
    await come({ who: 'old', people: 800, daysAgo: 20, appVersion: '2.9', buyers: 20 });
    const whole = await insights();
    const { queries } = deps;
    const asked = queries.ask.bind(queries);
    queries.ask = (kind, question, options) => {
      if (JSON.stringify(question).includes('"appVersion"')) {
        throw new AppError('unavailable', 'The query took too long.');
      }
      return asked(kind, question, options);
    };
    const { versions, ...others } = await insights().finally(() => {
      queries.ask = asked;
    });
    expect(versions).toBeNull();
    expect(others.recommendations).toEqual(whole.recommendations);
  });

  test('do not wait for it', async () => {
    const { appId, come } = await newApp();
    await come({ who: 'old', people: 100, daysAgo: 20, appVersion: '2.9' });
    const scope = { orgId: org.orgId, appId };
    const funnel = await findDefaultFunnel(deps.sql, scope);
    const [row] = await deps.sql<any[]>`SELECT app_id AS id FROM apps WHERE app_id = ${appId}`;
    const window = { from: '2026-06-15', to: '2026-07-14', days: 30 };
    const aborted = Promise.withResolvers<void>();
    const ask = (_kind: string, _question: object, { signal }: { signal: AbortSignal }) => {
      // A busy machine may come here after the time is over.
      if (signal.aborted) aborted.resolve();
      signal.addEventListener('abort', () => aborted.resolve());
      return new Promise(() => undefined);
    };
    const hanging: any = { ...ctx, deps: { ...deps, queries: { ask } }, app: row, scope };
    expect(await readVersionFacts(hanging, { funnel: funnel!, window }, 1)).toBe('late');
    await aborted.promise;
  });
});
