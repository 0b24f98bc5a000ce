import { expect, test } from 'bun:test';
import { openAnalystSession } from '../../../src/admin/analyst/session.ts';
import { untilRefused } from '../../support/rejections.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const headers = org.key;

const EVENTS = ['app_opened', 'purchase_completed'];

async function appWithTwoKeys() {
  const app = await createTestApp(service, org.orgId);
  const path = `/v1/apps/${app.appId}`;
  const post = (tail: string, body: object) => call(`${path}${tail}`, { headers, body });
  const made = await post('/keys', { name: 'Debug', environment: 'development' });
  const development = { 'x-service-key': made.body.secret };
  const send = async (
    people: string[],
    device: Record<string, string>,
    names: string[] = EVENTS,
  ): Promise<void> => {
    const at = Date.now();
    const events = people.flatMap((anonymousId) =>
      names.map((name, i) => ({ name, anonymousId, ts: new Date(at + i).toISOString() })),
    );
    for (let start = 0; start < events.length; start += 100) {
      const body = { events: events.slice(start, start + 100) };
      expect((await call('/v1/events', { body, headers: device })).status).toBe(202);
    }
  };
  const get = async (tail: string) => (await call(`${path}${tail}`, { headers })).body;
  return { ...app, path, post, development, key: made.body.key, send, get };
}

const people = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-person-${index}`);

test('a key is for production unless it says development, and shows which', async () => {
  const { post, get, key } = await appWithTwoKeys();
  expect(key.environment).toBe('development');
  expect((await post('/keys', { name: 'Store' })).body.key.environment).toBe('production');
  const listed = (await get('/keys')).map((one: any) => one.environment);
  expect(listed.toSorted()).toEqual(['development', 'production', 'production']);
  expect((await post('/keys', { environment: 'staging' })).status).toBe(400);
});

test('figures count production unless they are asked for more, in the log and in files', async () => {
  const { send, get, post, device, development, appId } = await appWithTwoKeys();
  const steps = EVENTS.map((event) => ({ event, label: event }));
  const { id } = (await post('/funnels', { name: 'Main', steps, isDefault: true })).body;
  await send(people('real', 60), device);
  await send(people('tester', 70), development);
  await send(['one-more-tester'], development, ['only_in_development']);

  const check = async () => {
    for (const [query, count] of [
      ['', 60],
      ['environment=production', 60],
      ['environment=development', 71],
      ['environment=all', 131],
    ] as const) {
      const summary = await get(`/events/summary?${query}`);
      expect(summary.people).toBe(count);
      const names = summary.names.map((one: any) => one.name);
      expect(names.includes('only_in_development')).toBe(count > 60);
      const entered = count === 60 ? 60 : count - 1;
      const report = await get(`/funnels/${id}/report?${query}`);
      expect(report).toMatchObject({ people: entered, verdict: 'ready' });
      const listed = await get(`/funnels/${id}/people?step=2&limit=1000&${query}`);
      expect(listed.people).toHaveLength(entered);
      const recent = await get(`/events/recent?limit=100&${query}`);
      const environments = new Set(recent.map((one: any) => one.environment));
      expect(
        [...environments].every(
          (one) =>
            query.endsWith('all') ||
            query.includes(one as string) ||
            (query === '' && one === 'production'),
        ),
      ).toBe(true);
      expect(recent.length).toBeGreaterThan(90);
    }
    const { events } = await get('/people/tester-person-1');
    expect(events.map((one: any) => one.environment)).toEqual(['development', 'development']);
  };
  await check();
  await compactEverything(deps);
  await check();
  const accepted = async (query: string) =>
    (await get(`/events/ingestion?${query}`)).hours.reduce(
      (sum: number, hour: any) => sum + hour.accepted,
      0,
    );
  expect(await accepted('')).toBe(120);
  expect(await accepted('environment=development')).toBe(141);
  expect(await accepted('environment=all')).toBe(261);

  const analyst = await openAnalystSession(deps, org.orgId);
  const answer = await analyst.ask(
    `SELECT environment, count(*)::INTEGER FROM events WHERE app_id = '${appId}' GROUP BY ALL ORDER BY 1`,
  );
  expect(answer.rows).toEqual([
    ['development', 141],
    ['production', 120],
  ] as any);
  await analyst.close();
});

test('the same batch is stored once, whatever its key', async () => {
  const { get, device, development } = await appWithTwoKeys();
  const event = {
    name: 'app_opened',
    anonymousId: 'person-0001',
    ts: new Date().toISOString(),
  };
  for (const key of [device, device, development, development]) {
    await call('/v1/events', { body: { events: [event] }, headers: key });
  }
  expect((await get('/events/summary?environment=all')).events).toBe(1);
});

test('batches turned away are counted for the environment of their key', async () => {
  const { appId, get, development } = await appWithTwoKeys();
  await call('/v1/events', { body: { events: [] }, headers: development });
  await untilRefused(deps, appId, 'development:invalid_batch');
  expect((await get('/events/ingestion')).rejected).toEqual([]);
});

test('a development build neither joins an experiment nor keeps its device out of one', async () => {
  const { post, get, device, development, path } = await appWithTwoKeys();
  const arms = [];
  for (const name of ['one', 'two']) {
    const { id } = (await post('/onboardings', { name, config: {} })).body;
    arms.push({ name, weight: 1, onboardingId: id });
  }
  const { id } = (await post('/experiments', { name: 'Two', arms })).body;
  await call(`${path}/experiments/${id}`, {
    method: 'PATCH',
    headers,
    body: { status: 'running' },
  });
  const ask = (anonymousId: string, key: Record<string, string>) =>
    call(`/v1/experiments?anonymousId=${anonymousId}`, { headers: key });
  const built = await ask('device-0001', development);
  const arm = built.body.arm.armName;
  expect((await get(`/experiments/${id}/report`)).people).toBe(0);
  expect((await ask('device-0001', device)).body.arm.armName).toBe(arm);
  expect((await get(`/experiments/${id}/report`)).people).toBe(1);
});
