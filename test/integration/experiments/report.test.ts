import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const headers = org.key;

type Sent = { name: string; anonymousId: string; userId?: string };

const STEPS = [
  { event: 'app_opened', label: 'Opened' },
  { event: 'purchase_completed', label: 'Bought' },
];

async function runningExperiment(people: number, options: { withFunnel?: boolean } = {}) {
  const app = await createTestApp(service, org.orgId);
  const path = `/v1/apps/${app.appId}`;
  const post = async (tail: string, body: object) =>
    (await call(`${path}${tail}`, { headers, body })).body;
  const arms = [];
  for (const name of ['control', 'short']) {
    const { id } = await post('/onboardings', { name, config: { name } });
    arms.push({ name, weight: 1, onboardingId: id });
  }
  if (options.withFunnel !== false) {
    await post('/funnels', { name: 'Main', steps: STEPS, isDefault: true });
  }
  const experiment = await post('/experiments', { name: 'Long or short', arms });
  const patch = (body: object) =>
    call(`${path}/experiments/${experiment.id}`, { method: 'PATCH', headers, body });
  await patch({ status: 'running' });
  const shown = new Map<string, string>();
  const ask = async (anonymousId: string) => {
    const answer = await call(`/v1/experiments?anonymousId=${anonymousId}`, {
      headers: app.device,
    });
    shown.set(anonymousId, answer.body.arm.armName);
    return answer.body.arm.armName as string;
  };
  for (let person = 0; person < people; person += 1) await ask(`person-${person}`);
  const send = async (events: Sent[]) => {
    for (let start = 0; start < events.length; start += 100) {
      const body = { events: events.slice(start, start + 100), context: { platform: 'ios' } };
      expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
    }
  };
  const report = async () => call(`${path}/experiments/${experiment.id}/report`, { headers });
  return { ...app, path, experiment, patch, shown, ask, send, report };
}

const armOf = (body: any, name: string) => body.arms.find((arm: any) => arm.name === name);

describe('an experiment report', () => {
  test('counts what came after the exposure, arm by arm, the same after compaction', async () => {
    const { shown, send, report } = await runningExperiment(240);
    const people = [...shown];
    await send(people.map(([anonymousId]) => ({ name: 'app_opened', anonymousId })));
    const buyers = people.filter(
      ([, arm], index) => (arm === 'short' ? index % 2 : index % 5) === 0,
    );
    await send(buyers.map(([anonymousId]) => ({ name: 'purchase_completed', anonymousId })));

    const first = await report();
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ status: 'running', people: 240, mixedPeople: 0 });
    expect(first.body.sampleRatio.verdict).toBe('as_expected');
    for (const name of ['control', 'short']) {
      const arm = armOf(first.body, name);
      const exposed = people.filter(([, one]) => one === name).length;
      const converted = buyers.filter(([, one]) => one === name).length;
      expect(arm).toMatchObject({ people: exposed, converted, verdict: 'ready' });
      expect(arm.rate).toBeCloseTo(converted / exposed, 10);
      expect(arm.rateLow).toBeLessThan(arm.rate);
      expect(arm.rateHigh).toBeGreaterThan(arm.rate);
    }
    await compactEverything(deps);
    const second = await report();
    expect(second.body.arms).toEqual(first.body.arms);
  });

  test('what somebody did before they were exposed does not count', async () => {
    const { send, ask, report, shown } = await runningExperiment(0);
    const early = Array.from({ length: 120 }, (_, index) => `early-person-${index}`);
    await send(
      early.flatMap((anonymousId) => [
        { name: 'app_opened', anonymousId },
        { name: 'purchase_completed', anonymousId },
      ]),
    );
    for (const id of early) await ask(id);
    const { body } = await report();
    expect(body.people).toBe(shown.size);
    for (const arm of body.arms) expect(arm.converted ?? 0).toBe(0);
  });

  test('people who saw two arms are left out and counted as such', async () => {
    const { send, shown, report } = await runningExperiment(120);
    const one = [...shown].find(([, arm]) => arm === 'control')![0];
    const two = [...shown].find(([, arm]) => arm === 'short')![0];
    // The same person signs in on both devices.
    await send(
      [one, two].map((anonymousId) => ({ name: 'app_opened', anonymousId, userId: 'u-1' })),
    );
    const { body } = await report();
    expect(body.mixedPeople).toBe(1);
    expect(body.people).toBe(118);
    await compactEverything(deps);
    expect((await report()).body).toMatchObject({ mixedPeople: 1, people: 118 });
  });

  test('under fifty people an arm says nothing but its size', async () => {
    const { report } = await runningExperiment(30);
    const { body } = await report();
    for (const arm of body.arms) {
      expect(arm.people).toBeGreaterThan(0);
      expect(arm).toMatchObject({ verdict: 'too_few_people', rate: null, converted: null });
    }
    expect(body.sampleRatio).toEqual({ pValue: null, verdict: 'too_few_people' });
  });

  test('without a default funnel people are counted and no rate is drawn', async () => {
    const { report } = await runningExperiment(120, { withFunnel: false });
    const { body } = await report();
    expect(body).toMatchObject({ funnelId: null, people: 120 });
    for (const arm of body.arms) expect(arm.rate).toBeNull();
  });

  test('a draft has no report; a stopped one keeps its own', async () => {
    const { path, patch, report, experiment } = await runningExperiment(60);
    await patch({ status: 'stopped' });
    expect((await report()).body).toMatchObject({ status: 'stopped', people: 60 });
    const arms = experiment.arms.map(({ id: _, ...arm }: any) => arm);
    const draft = await call(`${path}/experiments`, { headers, body: { name: 'Next', arms } });
    const refused = await call(`${path}/experiments/${draft.body.id}/report`, { headers });
    expect(refused.status).toBe(409);
  });
});

describe('a funnel by arm', () => {
  test('tells the arms of the running experiment and who was in none apart', async () => {
    const { shown, send, path } = await runningExperiment(150);
    const outside = Array.from({ length: 60 }, (_, index) => `outside-${index}`);
    const all = [...shown.keys(), ...outside];
    await send(all.map((anonymousId) => ({ name: 'app_opened', anonymousId })));
    const [funnel] = (await call(`${path}/funnels`, { headers })).body;
    const answer = await call(`${path}/funnels/${funnel.id}/report?breakdown=arm`, { headers });
    expect(answer.status).toBe(200);
    const sizes = new Map(answer.body.breakdown.values.map((one: any) => [one.value, one.people]));
    const count = (name: string) => [...shown.values()].filter((arm) => arm === name).length;
    expect(sizes.get('control')).toBe(count('control'));
    expect(sizes.get('short')).toBe(count('short'));
    expect(sizes.get('none')).toBe(60);
    expect(answer.body.people).toBe(210);
  });

  test('is refused where no experiment was started', async () => {
    const { appId } = await createTestApp(service, org.orgId);
    const path = `/v1/apps/${appId}/funnels`;
    const { body } = await call(path, { headers, body: { name: 'Main', steps: STEPS } });
    const answer = await call(`${path}/${body.id}/report?breakdown=arm`, { headers });
    expect(answer.status).toBe(400);
    expect(answer.body.error.hint).toStartWith('breakdown: ');
  });
});
