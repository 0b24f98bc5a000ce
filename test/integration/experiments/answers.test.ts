import { describe, expect, test } from 'bun:test';
import { createAssignments } from '../../../src/modules/experiments/assignments.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let nowMs = Date.now() - 40 * DAY_MS;
const service = await startTestService(await testDatabase(), {
  with: ({ sql }) => {
    const clock = () => new Date(nowMs);
    return { clock, assignments: createAssignments(sql, clock) };
  },
});
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const headers = org.key;

const STEPS = [
  { event: 'app_opened', label: 'Opened' },
  { event: 'purchase_completed', label: 'Bought' },
];
const MEASUREMENT = {
  windowHours: 24,
  metrics: [
    { name: 'Likes', kind: 'event', event: 'liked' },
    { name: 'Trials', kind: 'trial' },
    { name: 'Revenue', kind: 'revenue' },
    { name: 'Crashes', kind: 'event', event: 'crashed', role: 'guardrail', better: 'lower' },
  ],
};

async function makeExperiment(measurement: object = {}) {
  const app = await createTestApp(service, org.orgId);
  const path = `/v1/apps/${app.appId}`;
  const post = async (tail: string, body: object) =>
    (await call(`${path}${tail}`, { headers, body })).body;
  const arms = [];
  for (const name of ['control', 'short']) {
    const { id } = await post('/onboardings', { name, config: { name } });
    arms.push({ name, weight: 1, onboardingId: id });
  }
  const funnel = await post('/funnels', { name: 'Main', steps: STEPS, isDefault: true });
  const experiment = await post('/experiments', { name: 'Long or short', arms, measurement });
  const one = `${path}/experiments/${experiment.id}`;
  const patch = (body: object) => call(one, { method: 'PATCH', headers, body });
  const arm = (name: string) => experiment.arms.find((each: any) => each.name === name);
  const ask = async (anonymousId: string): Promise<string | null> =>
    (await call(`/v1/experiments?anonymousId=${anonymousId}`, { headers: app.device })).body.arm
      ?.armName ?? null;
  const send = async (people: readonly string[], name: string) => {
    const ts = new Date(nowMs).toISOString();
    for (let start = 0; start < people.length; start += 100) {
      const events = people
        .slice(start, start + 100)
        .map((anonymousId) => ({ name, anonymousId, ts }));
      expect((await call('/v1/events', { body: { events }, headers: app.device })).status).toBe(
        202,
      );
    }
  };
  const report = async () => (await call(`${one}/report`, { headers })).body;
  return { ...app, path, one, funnel, experiment, arm, patch, ask, send, report };
}

const crowd = (size: number) => Array.from({ length: size }, (_, index) => `person-${index}`);

async function buy(appId: string, person: string, millis: { price: number; refunded?: boolean }) {
  const { orgId } = org;
  const id = `${appId}-${person}`;
  await deps.sql`INSERT INTO purchase_chains
    (app_id, org_id, environment, original_transaction_id, checked_at)
    VALUES (${appId}, ${orgId}, 'Production', ${id}, now())`;
  const snapshot = {
    purchasedAt: nowMs,
    revokedAt: millis.refunded ? nowMs + 1 : null,
    ownership: 'purchased',
    freeTrial: false,
  };
  await deps.sql`INSERT INTO purchase_transactions (app_id, org_id, environment, transaction_id,
      original_transaction_id, snapshot, signed_ms, price_milliunits, currency)
    VALUES (${appId}, ${orgId}, 'Production', ${id}, ${id}, ${JSON.stringify(snapshot)}::text::jsonb,
      1, ${millis.price}, 'USD')`;
  if (person === 'nobody') return;
  await deps.sql`INSERT INTO purchase_links (app_id, org_id, environment, original_transaction_id,
      kind, person_id, linked_at)
    VALUES (${appId}, ${orgId}, 'Production', ${id}, 'anonymous', ${person}, now())`;
}

describe('a report answers', () => {
  test('of people whose window is over, by funnel, events and revenue, not before seven days', async () => {
    const { appId, patch, ask, send, report, arm } = await makeExperiment(MEASUREMENT);
    await patch({ status: 'running' });
    const people = crowd(400);
    const shown = new Map<string, string>();
    for (const id of people) shown.set(id, (await ask(id))!);
    nowMs += MINUTE_MS;
    await send(people, 'app_opened');
    const short = people.filter((id) => shown.get(id) === 'short');
    const control = people.filter((id) => shown.get(id) === 'control');
    await send(short.slice(0, 120), 'purchase_completed');
    await send(control.slice(0, 20), 'purchase_completed');
    await send([...short.slice(0, 30), ...control.slice(0, 30)], 'liked');
    for (const id of short.slice(0, 10)) await buy(appId, id, { price: 9_990 });
    await buy(appId, control[0]!, { price: 9_990, refunded: true });
    await buy(appId, 'nobody', { price: 9_990 });
    nowMs += 23 * HOUR_MS;
    const early = await report();
    // Their window is not over: they are in the rates, and not in what is measured.
    expect(early.people).toBe(400);
    expect(early.arms.every(({ rate }: any) => rate > 0)).toBe(true);

    nowMs += 2 * HOUR_MS;
    // Too late for the window.
    await send(short.slice(120, 150), 'purchase_completed');
    const second = await report();
    expect(second.answer).toMatchObject({ verdict: 'not_decided', reason: 'too_few_days' });
    expect(second.answer.moreDays).toBe(6);

    nowMs += 6 * DAY_MS;
    const body = await report();
    expect(body.measured).toMatchObject({
      people: 400,
      fullDays: 7,
      windowHours: 24,
      margin: 0.1,
      controlArmId: arm('control').id,
      revenue: { currency: 'USD', purchases: 12, joined: 11, unconverted: 0 },
    });
    const [conversion, likes, trials, revenue, crashes] = body.measured.metrics;
    const totals = (metric: any) => metric.arms.map(({ total }: any) => total);
    expect(totals(conversion)).toEqual([20, 120]);
    expect(totals(likes)).toEqual([30, 30]);
    expect(totals(trials)).toEqual([0, 0]);
    expect(totals(revenue)).toEqual([0, 9_990]);
    expect(totals(crashes)).toEqual([0, 0]);
    expect(conversion.alpha).toBeCloseTo(0.05 / 4, 12);
    expect(crashes.alpha).toBe(0.05);
    const [{ difference, low, high }] = conversion.differences;
    expect(difference).toBeCloseTo(120 / short.length - 20 / control.length, 12);
    expect(low).toBeGreaterThan(0);
    expect(high).toBeGreaterThan(difference);
    expect(body.answer).toMatchObject({ verdict: 'ahead', armId: arm('short').id });
    await compactEverything(deps);
    expect((await report()).measured.metrics).toEqual(body.measured.metrics);
  });

  test('by the funnel that was the default at the start', async () => {
    const { path, funnel, patch, report, experiment } = await makeExperiment();
    expect(experiment.measurement).toEqual({
      windowHours: 72,
      margin: 0.1,
      capPercentile: 99.9,
      metrics: [],
      funnel: null,
    });
    const started = await patch({ status: 'running' });
    expect(started.body.measurement.funnel).toEqual({ id: funnel.id, steps: STEPS });
    const body = { name: 'Other', steps: [...STEPS].reverse(), isDefault: true };
    await call(`${path}/funnels`, { headers, body });
    expect((await report()).funnelId).toBe(funnel.id);
  });
});

describe('what is measured', () => {
  test('may be changed in a draft and not after the start', async () => {
    const { patch } = await makeExperiment(MEASUREMENT);
    const changed = await patch({ measurement: { margin: 0.2, capPercentile: 99 } });
    const measurement = { margin: 0.2, windowHours: 24, capPercentile: 99 };
    expect(changed.body.measurement).toMatchObject(measurement);
    const refused = await patch({ measurement: { capPercentile: 98 } });
    expect(refused.body.error).toMatchObject({ code: 'invalid_input' });
    expect(refused.body.error.hint).toContain('measurement.capPercentile');
    expect(changed.body.measurement.metrics).toHaveLength(4);
    await patch({ status: 'running' });
    expect((await patch({ measurement: { margin: 0.3 } })).status).toBe(409);
  });

  test.each([
    ['an event metric without an event', { name: 'x', kind: 'event' }],
    ['an event of a trial', { name: 'x', kind: 'trial', event: 'trial_started' }],
    ['another kind', { name: 'x', kind: 'mean' }],
  ])('is refused: %s', async (_, metric) => {
    const { patch } = await makeExperiment();
    const { status, body } = await patch({ measurement: { metrics: [metric] } });
    expect(status).toBe(400);
    expect(body.error.hint).toContain('measurement');
  });

  test('has five metrics at most', async () => {
    const { patch } = await makeExperiment();
    const metrics = Array.from({ length: 6 }, () => ({ name: 'x', kind: 'trial' }));
    expect((await patch({ measurement: { metrics } })).status).toBe(400);
  });
});

describe('an arm by hand', () => {
  test('is shown on that device, which counts in no report, even when it is taken off again', async () => {
    const { one, arm, patch, ask, report } = await makeExperiment();
    await patch({ status: 'running' });
    const people = crowd(20);
    const dealt = new Map<string, string | null>();
    for (const id of people) dealt.set(id, await ask(id));
    const own = people.find((id) => dealt.get(id) === 'control')!;
    const set = (body: object) => call(`${one}/overrides`, { method: 'PUT', headers, body });
    const foreign = await set({ anonymousId: own, armId: 'arm_of_another' });
    expect(foreign.status).toBe(400);
    expect((await set({ anonymousId: own, armId: arm('short').id })).status).toBe(200);
    nowMs += 6_000;
    expect(await ask(own)).toBe('short');
    nowMs += MINUTE_MS;
    expect(await report()).toMatchObject({
      people: 19,
      mixedPeople: 0,
      measured: { overriddenPeople: 1 },
    });
    const list = await call(`${one}/overrides`, { headers });
    expect(list.body).toMatchObject([{ anonymousId: own, armId: arm('short').id }]);
    const remove = () => call(`${one}/overrides?anonymousId=${own}`, { method: 'DELETE', headers });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    nowMs += 6_000;
    expect(await ask(own)).toBe('control');
    expect((await report()).people).toBe(19);
  });

  test('a hundred devices at most', async () => {
    const { one, arm } = await makeExperiment();
    const set = (index: number) =>
      call(`${one}/overrides`, {
        method: 'PUT',
        headers,
        body: { anonymousId: `device-${index}`, armId: arm('short').id },
      });
    for (let index = 0; index < 100; index += 1) await set(index);
    expect((await set(0)).status).toBe(200);
    expect((await set(100)).status).toBe(409);
  });
});

describe('shipping an arm', () => {
  test('ends the experiment, makes its onboarding the default and keeps who did it', async () => {
    const { one, path, arm, patch, ask } = await makeExperiment();
    const ship = (armId: string) => call(`${one}/ship`, { headers, body: { armId } });
    expect((await ship(arm('short').id)).status).toBe(409);
    await patch({ status: 'running' });
    expect((await ship('arm_of_another')).status).toBe(400);
    const shipped = await ship(arm('short').id);
    expect(shipped.status).toBe(200);
    expect(shipped.body).toMatchObject({
      status: 'stopped',
      stoppedAt: new Date(nowMs).toISOString(),
      shipped: { armId: arm('short').id, by: { kind: 'orgKey' } },
    });
    const [first] = (await call(`${path}/onboardings`, { headers })).body;
    expect(first).toMatchObject({ id: arm('short').onboardingId, isDefault: true });
    expect((await ship(arm('short').id)).body).toEqual(shipped.body);
    expect((await ship(arm('control').id)).status).toBe(409);
    nowMs += 6_000;
    expect(await ask('somebody-new')).toBeNull();
  });

  test('serves one that was stopped before; its end stays', async () => {
    const { one, arm, patch } = await makeExperiment();
    await patch({ status: 'running' });
    const { stoppedAt } = (await patch({ status: 'stopped' })).body;
    nowMs += DAY_MS;
    const shipped = await call(`${one}/ship`, { headers, body: { armId: arm('control').id } });
    expect(shipped.body).toMatchObject({ stoppedAt, shipped: { armId: arm('control').id } });
  });
});

describe('before the start', () => {
  test('the sizes of an experiment at the rate and traffic of today', async () => {
    const { one, send } = await makeExperiment();
    const sizes = async (query = '') => (await call(`${one}/sizes${query}`, { headers })).body;
    expect(await sizes()).toMatchObject({ rate: null, people: 0, daysUntilRate: null });
    const people = crowd(560);
    for (let day = 0; day < 10; day += 1) {
      const ofDay = people.slice(56 * day, 56 * (day + 1));
      await send(ofDay, 'app_opened');
      await send(ofDay.slice(0, 5 + (day % 2) + Number(day === 0)), 'purchase_completed');
      nowMs += DAY_MS;
    }
    nowMs += 14 * DAY_MS;
    const { sizes: rows, ...today } = await sizes();
    expect(today).toMatchObject({ lookedAtDays: 28, people: 560, converted: 56, rate: 0.1 });
    // Nobody came before: not divided by 28.
    expect(today.peopleADay).toBe(56);
    expect(rows.map(({ lift }: any) => lift)).toEqual([0.1, 0.2, 0.5]);
    expect(rows[1].days).toBe(Math.ceil(rows[1].people / 56) + 3);
    const chosen = { lookedAtDays: 2, people: 112, peopleADay: 56 };
    expect(await sizes('?days=2')).toMatchObject(chosen);
  });
});
