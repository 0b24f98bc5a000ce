import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
const org = await createTestOrg(service);
const app = await createTestApp(service, org.orgId);

const steps = [
  { event: 'app_opened', label: 'Opened' },
  { event: 'paywall_viewed', label: 'Offer', where: { prop: 'plann', equals: 'yearly' } },
  { event: 'purchase_complted', label: 'Bought' },
];
const STEP_2 = 'Step 2: no event "paywall_viewed" came with the property "plann"';
const STEP_3 = 'Step 3: the app never sent an event "purchase_complted"';

const make = (name: string, body: object = { steps }) =>
  call(`/v1/apps/${app.appId}/funnels`, { body: { name, ...body }, headers: org.key });
const get = (tail: string) => call(`/v1/apps/${app.appId}/${tail}`, { headers: org.key });
const send = async (events: { name: string; props?: object }[]) => {
  const body = { events: events.map((one) => ({ anonymousId: 'person-0001', ...one })) };
  expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
};

const whileAway = await make('Away');
await startTestQueries(deps);

describe('a question on what the app never sent', () => {
  test('is answered without a hint while the query processes are away', () => {
    expect(whileAway.status).toBe(201);
    expect(whileAway.body.hint).toBeUndefined();
  });

  test('of a funnel before the first event has one sentence', async () => {
    expect((await make('Early')).body.hint).toBe('The app has not sent any event yet.');
  });

  test('of a funnel has a hint with the step and the nearest names, in the log and in files', async () => {
    await send([
      { name: 'app_opened', props: { source: 'push' } },
      { name: 'paywall_viewed', props: { plan: 'yearly' } },
    ]);
    await compactEverything(deps);
    await send([{ name: 'purchase_completed' }]);
    const made = (await make('Typed by hand')).body;
    expect(made.hint).toContain(`${STEP_2}. The nearest properties that came: "plan".`);
    expect(made.hint).toContain(`${STEP_3}. The nearest names that it sent: "purchase_completed"`);
    expect(made.hint).not.toContain('Step 1');
    const report = (await get(`funnels/${made.id}/report`)).body;
    expect(report.hint).toContain(`${STEP_2} in production`);
    expect(report.hint).toContain(`${STEP_3} in production`);

    const right = steps.map((step, index) => ({
      ...step,
      ...(index === 1 && { where: { prop: 'plan', equals: 'yearly' } }),
      ...(index === 2 && { event: 'purchase_completed' }),
    }));
    const mended = await call(`/v1/apps/${app.appId}/funnels/${made.id}`, {
      method: 'PUT',
      body: { steps: right },
      headers: org.key,
    });
    expect(mended.status).toBe(200);
    expect(mended.body.hint).toBeUndefined();
    const path = `funnels/${made.id}/report`;
    expect((await get(path)).body).not.toHaveProperty('hint');
    expect((await get(`${path}?property=sorce=push`)).body.hint).toBe(
      'No event "app_opened" came with the property "sorce" in production. The nearest properties that came: "source".',
    );
    expect((await get(`${path}?breakdown=prop:sorce`)).body.hint).toStartWith(
      'No event "app_opened" came with the property "sorce"',
    );
    expect((await get(`${path}?breakdown=prop:source`)).body).not.toHaveProperty('hint');
    // Nobody of another platform, but nothing that was never sent.
    expect((await get(`${path}?platform=web`)).body).not.toHaveProperty('hint');
  });

  test('of a series, of retention and of properties has one too', async () => {
    const hintOf = async (tail: string) => (await get(`events/${tail}`)).body.hint;
    const never = 'The app never sent an event "app_open" in production. The nearest names';
    expect(await hintOf('series?names=app_open,app_opened')).toStartWith(never);
    expect(await hintOf('series?names=app_open&breakdown=platform')).toStartWith(never);
    expect(await hintOf('retention?startName=app_open')).toStartWith(never);
    expect(await hintOf('retention?returnName=app_open')).toStartWith(never);
    expect(await hintOf('properties?name=app_open')).toStartWith(never);
    expect(await hintOf('series?property=pln=yearly')).toBe(
      'No event came with the property "pln" in production. The nearest properties that came: "plan", "source".',
    );
    expect(await hintOf('series?property=plan=yearli&names=paywall_viewed')).toBe(
      'No event "paywall_viewed" came with "plan" equal to "yearli" in production. The nearest values that came: "yearly".',
    );
    expect(await hintOf('series?breakdown=prop:pln&names=paywall_viewed')).toStartWith(
      'No event "paywall_viewed" came with the property "pln"',
    );
    for (const fine of [
      'series',
      'series?names=app_opened',
      'series?property=plan=yearly',
      'series?breakdown=prop:plan&names=paywall_viewed',
      'retention?startName=app_opened',
      'properties?name=app_opened',
    ]) {
      expect(await hintOf(fine)).toBeUndefined();
    }
  });

  test('says in which environment it was looked for', async () => {
    const hint = (await get('events/series?names=app_opened&environment=development')).body.hint;
    expect(hint).toBe('The app has not sent any event in development yet.');
    expect((await get('events/series?names=app_opened&environment=all')).body.hint).toBeUndefined();
  });
});
