import { describe, expect, test } from 'bun:test';
import { AppError } from '../../../src/shared/errors.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const database = await testDatabase();
const appended: { body: any; app: string }[] = [];
const service = await startTestService(database, {
  with: ({ events }) => ({
    events: {
      ...events,
      append: async (record) => {
        appended.push({ app: record.app, body: JSON.parse(Buffer.from(record.body).toString()) });
      },
    },
  }),
});
const org = await createTestOrg(service);
const headers = org.key;

const makeApp = async () => {
  const app = await createTestApp(service, org.orgId);
  const path = `/v1/apps/${app.appId}`;
  const onboarding = async (name: string, rest: object = {}) =>
    (
      await service.call(`${path}/onboardings`, {
        headers,
        body: { name, config: { screens: [name] }, ...rest },
      })
    ).body;
  const experiment = async (onboardingIds: string[], name = 'Long or short') =>
    service.call(`${path}/experiments`, {
      headers,
      body: {
        name,
        arms: onboardingIds.map((onboardingId, index) => ({
          name: `arm ${index}`,
          weight: 1,
          onboardingId,
        })),
      },
    });
  const patch = (id: string, body: object) =>
    service.call(`${path}/experiments/${id}`, { method: 'PATCH', headers, body });
  const ask = (anonymousId: string, on = service) =>
    on.call(`/v1/experiments?anonymousId=${anonymousId}`, { headers: app.device });
  return { ...app, path, onboarding, experiment, patch, ask };
};

test('arms of one name are refused: reports tell them apart by it', async () => {
  const app = await makeApp();
  const { id } = await app.onboarding('one');
  const arm = (name: string) => ({ name, weight: 1, onboardingId: id });
  const made = await service.call(`${app.path}/experiments`, {
    headers,
    body: { name: 'Twins', arms: [arm('same'), arm('same')] },
  });
  expect(made.status).toBe(400);
  expect(made.body.error.hint).toStartWith('arms[1].name: ');
  const draft = await service.call(`${app.path}/experiments`, {
    headers,
    body: { name: 'Twins', arms: [arm('one'), arm('two')] },
  });
  const changed = await app.patch(draft.body.id, { arms: [arm('same'), arm('same')] });
  expect(changed.status).toBe(400);
});

describe('onboardings', () => {
  test('a config is at most 32 levels deep, however it is nested', async () => {
    const { path } = await makeApp();
    const nested = (levels: number, wrap: (inner: unknown) => unknown) => {
      let config: unknown = 'end';
      for (let level = 0; level < levels; level += 1) config = wrap(config);
      return service.call(`${path}/onboardings`, { headers, body: { name: 'deep', config } });
    };
    for (const wrap of [(inner: unknown) => [inner], (inner: unknown) => ({ a: 1, inner })]) {
      expect((await nested(32, wrap)).status).toBe(201);
      for (const levels of [34, 1_000]) {
        const { status, body } = await nested(levels, wrap);
        expect([status, body.error.hint]).toEqual([400, 'config: at most 32 levels deep']);
      }
    }
  });

  test('the first is the default; another takes it over', async () => {
    const app = await makeApp();
    const one = await app.onboarding('one');
    expect(one).toMatchObject({ name: 'one', config: { screens: ['one'] }, isDefault: true });
    const two = await app.onboarding('two');
    expect(two.isDefault).toBe(false);
    const changed = await service.call(`${app.path}/onboardings/${two.id}`, {
      method: 'PATCH',
      headers,
      body: { isDefault: true, name: 'second' },
    });
    expect(changed.body).toMatchObject({ name: 'second', isDefault: true, config: two.config });
    const list = await service.call(`${app.path}/onboardings`, { headers });
    expect(list.body.map((each: any) => [each.name, each.isDefault])).toEqual([
      ['second', true],
      ['one', false],
    ]);
  });

  test.each([
    [{ name: 'x', config: 'y'.repeat(16 * 1024) }, 'config'],
    [{ name: 'x', config: { a: 'b\u0000c' } }, 'config'],
    [{ name: 'x', config: { a: '\ud800' } }, 'config'],
    [{ name: '', config: {} }, 'name'],
  ])('%# is refused, naming the field', async (body, field) => {
    const app = await makeApp();
    const answer = await service.call(`${app.path}/onboardings`, { headers, body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.hint).toStartWith(`${field}: `);
  });

  test.each([
    [null],
    [1],
    ['text'],
    ['a backslash: \\ud800, \\u0000'],
    [[1, 'two', { three: null }]],
    [{ deep: { er: [true] } }],
  ])('keeps the config %j', async (config) => {
    const app = await makeApp();
    const made = await app.onboarding('any', { config });
    expect(made.config).toEqual(config);
  });
});

describe('experiments', () => {
  test('from draft to running to stopped, and no way back', async () => {
    const app = await makeApp();
    const [a, b] = [await app.onboarding('a'), await app.onboarding('b')];
    const made = await app.experiment([a.id, b.id]);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ status: 'draft', startedAt: null, stoppedAt: null });
    const { id } = made.body;
    expect((await app.patch(id, { status: 'stopped' })).status).toBe(409);
    const running = await app.patch(id, { status: 'running' });
    expect(running.body).toMatchObject({ status: 'running', stoppedAt: null });
    expect(running.body.startedAt).toBeString();
    expect((await app.patch(id, { status: 'running' })).status).toBe(200);
    const stopped = await app.patch(id, { status: 'stopped' });
    expect(stopped.body.stoppedAt).toBeString();
    expect((await app.patch(id, { status: 'running' })).status).toBe(409);
  });

  test('deal to each arm, however small its share', async () => {
    const app = await makeApp();
    const onboardings = [await app.onboarding('a'), await app.onboarding('b')];
    const armsOf = (weights: number[]) =>
      weights.map((weight, index) => ({
        name: `arm ${index}`,
        weight,
        onboardingId: onboardings[index % 2].id,
      }));
    const make = (weights: number[]) =>
      service.call(`${app.path}/experiments`, {
        headers,
        body: { name: 'Small', arms: armsOf(weights) },
      });
    const refused = await make([1, ...Array(5).fill(10_000)]);
    expect(refused.status).toBe(400);
    expect(refused.body.error.hint).toStartWith('arms[0].weight: ');
    expect((await make([10_000, 10_000, 1])).body.error.hint).toStartWith('arms[2].weight: ');
    const made = await make([1, 9_999]);
    expect(made.status).toBe(201);
    const arms = armsOf([10_000, 1, 10_000]);
    expect((await app.patch(made.body.id, { arms })).status).toBe(400);
  });

  test('an arm takes no field of its own: it is stored as it is given', async () => {
    const { path, onboarding, patch, experiment } = await makeApp();
    const { id: onboardingId } = await onboarding('one');
    const arm = { name: 'arm', weight: 1, onboardingId };
    const { body: made } = await experiment([onboardingId, onboardingId]);
    for (const odd of [{ 'nul\u0000': 1 }, { deep: { half: '\ud800' } }, { note: 'x' }]) {
      const arms = [arm, { ...arm, ...odd }];
      const created = await service.call(`${path}/experiments`, {
        headers,
        body: { name: 'odd', arms },
      });
      expect([created.status, created.body.error.code]).toEqual([400, 'invalid_input']);
      expect((await patch(made.id, { arms })).status).toBe(400);
    }
    const ownId = await service.call(`${path}/experiments`, {
      headers,
      body: { name: 'own id', arms: [arm, { ...arm, id: 'arm_of_mine' }] },
    });
    expect(ownId.status).toBe(400);
  });

  test('one runs per app at a time', async () => {
    const app = await makeApp();
    const ids = [(await app.onboarding('a')).id, (await app.onboarding('b')).id];
    const one = (await app.experiment(ids)).body;
    const two = (await app.experiment(ids)).body;
    expect((await app.patch(one.id, { status: 'running' })).status).toBe(200);
    const refused = await app.patch(two.id, { status: 'running' });
    expect(refused.status).toBe(409);
    expect(refused.body.error.code).toBe('conflict');
    const racing = await makeApp();
    const dealt = [(await racing.onboarding('a')).id, (await racing.onboarding('b')).id];
    const drafts = await Promise.all([racing.experiment(dealt), racing.experiment(dealt)]);
    const statuses = await Promise.all(
      drafts.map(async ({ body }) => (await racing.patch(body.id, { status: 'running' })).status),
    );
    expect(statuses.toSorted()).toEqual([200, 409]);
  });

  test('once it has run, weights and onboardings are fixed and names are not', async () => {
    const app = await makeApp();
    const ids = [(await app.onboarding('a')).id, (await app.onboarding('b')).id];
    const { body: made } = await app.experiment(ids);
    await app.patch(made.id, { status: 'running' });
    const arms = made.arms.map(({ id: _, ...arm }: any) => arm);
    const heavier = arms.map((arm: any) => ({ ...arm, weight: 2 }));
    expect((await app.patch(made.id, { arms: heavier })).status).toBe(409);
    expect((await app.patch(made.id, { arms: [...arms, arms[0]] })).status).toBe(409);
    expect((await app.patch(made.id, { arms: arms.toReversed() })).status).toBe(409);
    const renamed = await app.patch(made.id, {
      arms: arms.map((arm: any, index: number) => ({ ...arm, name: `renamed ${index}` })),
    });
    expect(renamed.status).toBe(200);
    expect(renamed.body.arms.map((arm: any) => arm.id)).toEqual(
      made.arms.map((arm: any) => arm.id),
    );
    expect(renamed.body.arms[0].name).toBe('renamed 0');
  });

  test('an onboarding that is dealt out cannot be deleted, nor an experiment that runs', async () => {
    const app = await makeApp();
    const ids = [(await app.onboarding('a')).id, (await app.onboarding('b')).id];
    const { body: made } = await app.experiment(ids);
    await app.patch(made.id, { status: 'running' });
    const remove = (path: string) =>
      service.call(`${app.path}/${path}`, { method: 'DELETE', headers });
    expect((await remove(`onboardings/${ids[1]}`)).status).toBe(409);
    expect((await remove(`experiments/${made.id}`)).status).toBe(409);
    await app.patch(made.id, { status: 'stopped' });
    expect((await remove(`onboardings/${ids[1]}`)).status).toBe(204);
    expect((await remove(`experiments/${made.id}`)).status).toBe(204);
    expect((await remove(`experiments/${made.id}`)).status).toBe(404);
  });

  test("another app's onboarding is refused, naming the arm", async () => {
    const app = await makeApp();
    const other = await makeApp();
    const own = await app.onboarding('own');
    const foreign = await other.onboarding('foreign');
    const answer = await app.experiment([own.id, foreign.id]);
    expect(answer.status).toBe(400);
    expect(answer.body.error.hint).toStartWith('arms[1].onboardingId: ');
  });
});

describe('GET /v1/experiments', () => {
  test('nothing made: nothing to show; no experiment: the default', async () => {
    const app = await makeApp();
    expect((await app.ask('person-0001')).body).toEqual({ onboarding: null, arm: null });
    const fresh = await makeApp();
    const one = await fresh.onboarding('the default');
    const answer = await fresh.ask('person-0001');
    expect(answer.body).toEqual({
      onboarding: { id: one.id, name: 'the default', config: one.config },
      arm: null,
    });
  });

  test('deals people out the same way each time, and writes each exposure once', async () => {
    const app = await makeApp();
    const [a, b] = [await app.onboarding('a'), await app.onboarding('b')];
    const { body: made } = await app.experiment([a.id, b.id]);
    await app.patch(made.id, { status: 'running' });
    const shown = new Map<string, number>();
    for (let person = 0; person < 40; person += 1) {
      const first = await app.ask(`person-${person}`);
      expect((await app.ask(`person-${person}`)).body).toEqual(first.body);
      const { arm, onboarding } = first.body;
      expect(arm.experimentId).toBe(made.id);
      expect(onboarding.id).toBe(arm.armName === 'arm 0' ? a.id : b.id);
      shown.set(arm.armId, (shown.get(arm.armId) ?? 0) + 1);
    }
    expect([...shown.values()].toSorted((x, y) => x - y)[0]).toBeGreaterThan(5);
    const exposures = appended.filter((record) => record.app === app.appId);
    expect(exposures.length).toBe(40);
    expect(exposures[0]?.body.events[0]).toMatchObject({
      name: '$exposure',
      anonymousId: 'person-0',
      props: { experiment: made.id },
    });
  });

  test('a HEAD is answered as the GET and is no exposure', async () => {
    const app = await makeApp();
    const ids = [(await app.onboarding('a')).id, (await app.onboarding('b')).id];
    const { body: made } = await app.experiment(ids);
    await app.patch(made.id, { status: 'running' });
    const answer = await service.call('/v1/experiments?anonymousId=person-0001', {
      method: 'HEAD',
      headers: app.device,
    });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(appended.filter((record) => record.app === app.appId)).toEqual([]);
    await app.ask('person-0001');
    expect(appended.filter((record) => record.app === app.appId).length).toBe(1);
  });

  test('a stop is felt by devices that ask again', async () => {
    const app = await makeApp();
    const ids = [(await app.onboarding('a')).id, (await app.onboarding('b')).id];
    const { body: made } = await app.experiment(ids);
    await app.patch(made.id, { status: 'running' });
    expect((await app.ask('person-0001')).body.arm).not.toBeNull();
    await app.patch(made.id, { status: 'stopped' });
    await until('the stop is felt', async () => (await app.ask('person-0001')).body.arm === null);
  });

  test('without durable storage there is no answer: nobody is shown what nobody counts', async () => {
    const app = await makeApp();
    const ids = [(await app.onboarding('a')).id, (await app.onboarding('b')).id];
    const { body: made } = await app.experiment(ids);
    await app.patch(made.id, { status: 'running' });
    const append = () => Promise.reject(new AppError('unavailable', 'The disk is full.'));
    const full = await startTestService(database, {
      with: ({ events }) => ({ events: { ...events, append } }),
    });
    expect((await app.ask('person-0001', full)).status).toBe(503);
    expect((await app.ask('person-0001')).status).toBe(200);
  });

  test.each(['', 'short', 'x'.repeat(129)])('anonymousId "%s" is refused', async (id) => {
    const app = await makeApp();
    const answer = await app.ask(id);
    expect(answer.status).toBe(400);
    expect(answer.body.error.hint).toStartWith('anonymousId: ');
  });
});
