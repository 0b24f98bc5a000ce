import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

let nowMs = Date.now() - 24 * HOUR_MS;
const service = await startTestService(await testDatabase(), {
  with: () => ({ clock: () => new Date(nowMs) }),
});
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const headers = org.key;

/** The default funnel of an app, in the order of docs/clients.md. */
const STEPS = ['app_opened', 'onboarding_completed', 'paywall_viewed', 'purchase_completed'];

async function runningExperiment() {
  const app = await createTestApp(service, org.orgId);
  const path = `/v1/apps/${app.appId}`;
  const post = async (tail: string, body: object) =>
    (await call(`${path}${tail}`, { headers, body })).body;
  const arms = [];
  for (const name of ['control', 'short']) {
    const { id } = await post('/onboardings', { name, config: {} });
    arms.push({ name, weight: 1, onboardingId: id });
  }
  const steps = STEPS.map((event) => ({ event, label: event }));
  const funnel = await post('/funnels', { name: 'Main', steps, isDefault: true });
  const { id } = await post('/experiments', { name: 'Long or short', arms });
  await call(`${path}/experiments/${id}`, {
    method: 'PATCH',
    headers,
    body: { status: 'running' },
  });
  nowMs += HOUR_MS;
  const ask = async (anonymousId: string): Promise<string> =>
    (await call(`/v1/experiments?anonymousId=${anonymousId}`, { headers: app.device })).body.arm
      .armName;
  /** Sends what these people did at `atMs`, by a clock that is off by `clockMs`. */
  const send = async (people: string[], names: string[], atMs = nowMs, clockMs = 0) => {
    const events = people.flatMap((anonymousId) =>
      names.map((name, index) => {
        const ts = new Date(atMs + clockMs + index).toISOString();
        return { name, anonymousId, ts };
      }),
    );
    for (let start = 0; start < events.length; start += 100) {
      const body = { events: events.slice(start, start + 100) };
      expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
    }
  };
  const report = async () => (await call(`${path}/experiments/${id}/report`, { headers })).body;
  const byArm = async () =>
    (await call(`${path}/funnels/${funnel.id}/report?breakdown=arm`, { headers })).body;
  return { ask, send, report, byArm };
}

type Experiment = Awaited<ReturnType<typeof runningExperiment>>;

const crowd = (size: number) => Array.from({ length: size }, (_, index) => `person-${index}`);

async function expectConverted({ report }: Experiment, shown: Map<string, string>, by: string[]) {
  for (let round = 0; round < 2; round += 1) {
    const { arms, people, notice } = await report();
    expect({ people, notice }).toEqual({ people: shown.size, notice: undefined });
    for (const arm of arms) {
      const members = [...shown].filter(([, name]) => name === arm.name);
      const converted = members.filter(([id]) => by.includes(id)).length;
      expect(arm).toMatchObject({ people: members.length, converted, verdict: 'ready' });
    }
    if (round === 0) await compactEverything(deps);
  }
}

async function askAll({ ask }: Experiment, people: string[]) {
  const shown = new Map<string, string>();
  for (const id of people) shown.set(id, await ask(id));
  return shown;
}

describe('in the order that the documents teach, every buyer has converted', () => {
  test.each([
    ['right', 0],
    ['30 seconds slow', -30 * SECOND_MS],
    ['30 seconds fast', 30 * SECOND_MS],
    ['5 minutes slow', -5 * MINUTE_MS],
    ['5 minutes fast', 5 * MINUTE_MS],
  ])('with clocks that are %s', async (_, clockMs) => {
    const experiment = await runningExperiment();
    const people = crowd(160);
    await experiment.send(people, ['app_opened'], nowMs, clockMs);
    nowMs += SECOND_MS;
    const shown = await askAll(experiment, people);
    nowMs += SECOND_MS;
    const buyers = people.filter((_, index) => index % 3 === 0);
    await experiment.send(buyers, STEPS.slice(1), nowMs, clockMs);
    nowMs += MINUTE_MS;
    await expectConverted(experiment, shown, buyers);

    const { people: all, breakdown } = await experiment.byArm();
    expect(all).toBe(160);
    expect(breakdown.values.map((one: any) => one.value).toSorted()).toEqual(['control', 'short']);
    for (const value of breakdown.values) {
      const members = [...shown].filter(([, arm]) => arm === value.value);
      expect(value.people).toBe(members.length);
      const converted = members.filter(([id]) => buyers.includes(id)).length;
      expect(value.steps.at(-1).people).toBe(converted);
    }
  });

  test('when a queue holds everything back for hours', async () => {
    const experiment = await runningExperiment();
    const people = crowd(160);
    const openedAt = nowMs;
    nowMs += SECOND_MS;
    const shown = await askAll(experiment, people);
    const boughtAt = nowMs + MINUTE_MS;
    nowMs += 5 * HOUR_MS;
    const buyers = people.filter((_, index) => index % 2 === 0);
    await experiment.send(people, ['app_opened'], openedAt);
    await experiment.send(buyers, STEPS.slice(1), boughtAt);
    await expectConverted(experiment, shown, buyers);
  });
});

describe('who bought before being asked has not converted', () => {
  test.each([
    ['and sent it at once, with a clock 5 minutes fast', 5 * MINUTE_MS, false],
    ['and sent it later', 0, true],
  ])('%s', async (_, clockMs, later) => {
    const experiment = await runningExperiment();
    const people = crowd(160);
    const boughtAt = nowMs;
    if (!later) await experiment.send(people, STEPS, boughtAt, clockMs);
    nowMs += later ? HOUR_MS : SECOND_MS;
    const shown = await askAll(experiment, people);
    nowMs += MINUTE_MS;
    if (later) await experiment.send(people, STEPS, boughtAt, clockMs);
    await expectConverted(experiment, shown, []);
  });
});

test('a report in which nobody of the exposed entered the funnel says so and draws no rate', async () => {
  const experiment = await runningExperiment();
  await askAll(experiment, crowd(160));
  nowMs += SECOND_MS;
  await experiment.send(crowd(160), ['paywall_viewed', 'purchase_completed']);
  const silent = await experiment.report();
  expect(silent.notice).toBe('nobody_entered_the_funnel');
  for (const arm of silent.arms) {
    expect(arm).toMatchObject({ verdict: 'no_data', converted: null, rate: null, rateHigh: null });
  }
  await experiment.send(['person-1'], ['app_opened']);
  const { notice, arms } = await experiment.report();
  expect(notice).toBeUndefined();
  for (const arm of arms) expect(arm).toMatchObject({ verdict: 'ready', converted: 0, rate: 0 });
});
