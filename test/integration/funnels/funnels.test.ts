import { describe, expect, test } from 'bun:test';
import { createDefaultFunnel } from '../../../src/modules/funnels/index.ts';
import type { AppScope } from '../../../src/shared/app.ts';
import { newId } from '../../../src/shared/ids.ts';
import { testDatabase } from '../../support/postgres.ts';
import {
  createTestApp,
  createTestKey,
  createTestOrg,
  startTestService,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await startTestService(await testDatabase());
const org = await createTestOrg(service);
const { call, deps } = service;

const STEPS = [
  { event: 'app_opened', label: 'Opened' },
  { event: 'paywall_viewed', label: 'Paywall', where: { prop: 'variant', equals: 'b' } },
];

async function newApp() {
  const { appId } = await createTestApp(service, org.orgId);
  const path = `/v1/apps/${appId}/funnels`;
  const create = (body: Record<string, unknown>) =>
    call(path, { body: { name: 'Funnel', steps: STEPS, ...body }, headers: org.key });
  const list = async () => (await call(path, { headers: org.key })).body;
  const put = (id: string, body: unknown) =>
    call(`${path}/${id}`, { method: 'PUT', body, headers: org.key });
  const remove = (id: string) => call(`${path}/${id}`, { method: 'DELETE', headers: org.key });
  return { appId, path, create, list, put, remove };
}

describe('funnels of an app', () => {
  test('are made as asked and listed with the default first, then the oldest', async () => {
    const { appId, create, list } = await newApp();
    const first = await create({ name: 'First' });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ appId, name: 'First', steps: STEPS, isDefault: true });
    await create({ name: 'Second' });
    await create({ name: 'Third', isDefault: true });
    expect((await list()).map((one: any) => [one.name, one.isDefault])).toEqual([
      ['Third', true],
      ['First', false],
      ['Second', false],
    ]);
  });

  test('have one default: another one takes it over, on creation and on edit', async () => {
    const { create, list, put } = await newApp();
    const a = await create({ name: 'A', isDefault: true });
    const b = await create({ name: 'B', isDefault: true });
    expect((await list()).filter((one: any) => one.isDefault).map((one: any) => one.name)).toEqual([
      'B',
    ]);
    expect((await put(a.body.id, { isDefault: true })).body).toMatchObject({ isDefault: true });
    expect((await list()).map((one: any) => [one.name, one.isDefault])).toEqual([
      ['A', true],
      ['B', false],
    ]);
    expect((await put(b.body.id, { isDefault: false })).body.isDefault).toBe(false);
    expect((await list()).map((one: any) => [one.name, one.isDefault])).toEqual([
      ['A', true],
      ['B', false],
    ]);
  });

  test('hand the default over to the oldest other, and keep it where there is none', async () => {
    const { create, list, put, remove } = await newApp();
    const only = await create({ name: 'Only' });
    expect((await put(only.body.id, { isDefault: false })).body.isDefault).toBe(true);
    await create({ name: 'Second' });
    await create({ name: 'Third' });
    expect((await put(only.body.id, { isDefault: false })).body.isDefault).toBe(false);
    expect((await list()).map((one: any) => [one.name, one.isDefault])).toEqual([
      ['Second', true],
      ['Only', false],
      ['Third', false],
    ]);
    for (const { id } of await list()) expect((await remove(id)).status).toBe(204);
    expect((await create({ name: 'Again', isDefault: false })).body.isDefault).toBe(true);
  });

  test('made as default at the same moment still leave one', async () => {
    const { create, list } = await newApp();
    await Promise.all(Array.from({ length: 8 }, () => create({ isDefault: true })));
    const all = await list();
    expect(all).toHaveLength(8);
    expect(all.filter((one: any) => one.isDefault)).toHaveLength(1);
  });

  test('change only in what an edit names', async () => {
    const { create, put } = await newApp();
    const { body } = await create({ name: 'Before' });
    const edited = await put(body.id, { name: 'After' });
    expect(edited.status).toBe(200);
    expect(edited.body).toMatchObject({ id: body.id, name: 'After', steps: STEPS });
    const steps = [...STEPS, { event: 'purchase_completed', label: 'Bought' }];
    expect((await put(body.id, { steps })).body).toMatchObject({ name: 'After', steps });
    expect((await put(body.id, {})).status).toBe(400);
  });

  test('give the default to the oldest other one when it is deleted', async () => {
    const { create, list, remove } = await newApp();
    await create({ name: 'Oldest' });
    await create({ name: 'Newer' });
    const main = await create({ name: 'Main', isDefault: true });
    expect((await remove(main.body.id)).status).toBe(204);
    expect((await list()).map((one: any) => [one.name, one.isDefault])).toEqual([
      ['Oldest', true],
      ['Newer', false],
    ]);
    expect((await remove(main.body.id)).status).toBe(404);
  });

  test('are fifty at most', async () => {
    const { create, list } = await newApp();
    const answers = await Promise.all(Array.from({ length: 53 }, () => create({})));
    expect(answers.filter((one) => one.status === 201)).toHaveLength(50);
    const refused = answers.filter((one) => one.status === 409);
    expect(refused).toHaveLength(3);
    expect(refused[0]?.body.error.code).toBe('conflict');
    expect(await list()).toHaveLength(50);
  });

  test.each([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a name of 81 characters', { name: 'x'.repeat(81) }],
    ['one step', { steps: STEPS.slice(0, 1) }],
    ['thirteen steps', { steps: Array.from({ length: 13 }, () => STEPS[0]) }],
    ['an event name in capitals', { steps: [{ event: 'Opened', label: 'x' }, STEPS[1]] }],
    ['a reserved event', { steps: [{ event: '$exposure', label: 'x' }, STEPS[1]] }],
    ['a label of 61 characters', { steps: [{ event: 'a', label: 'x'.repeat(61) }, STEPS[1]] }],
    ['no label', { steps: [{ event: 'a' }, STEPS[1]] }],
    [
      'a number to compare with',
      { steps: [{ event: 'a', label: 'x', where: { prop: 'p', equals: 1 } }, STEPS[1]] },
    ],
    ['a default that is no boolean', { isDefault: 'yes' }],
  ])('are refused with %s', async (_, body) => {
    const { create } = await newApp();
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('invalid_input');
    expect(answer.body.error.hint).toBeString();
  });

  test('keep an emoji as one character', async () => {
    const { create } = await newApp();
    expect((await create({ name: '🚀'.repeat(80) })).status).toBe(201);
  });

  test('of another app or organization are not found', async () => {
    const mine = await newApp();
    const other = await newApp();
    const { body } = await mine.create({});
    for (const [method, tail] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/report'],
      ['GET', '/people?step=1'],
    ] as const) {
      const answer = await call(`${other.path}/${body.id}${tail}`, {
        method,
        headers: org.key,
        ...(method === 'PUT' && { body: { name: 'Mine now' } }),
      });
      expect(answer.status).toBe(404);
    }
    const stranger = await createTestOrg(service);
    expect((await call(mine.path, { headers: stranger.key })).status).toBe(404);
  });

  test('need the permission that the contract names', async () => {
    const { path } = await newApp();
    const reader = await createTestKey(service, org, ['analytics:read']);
    const writer = await createTestKey(service, org, ['app:update']);
    expect((await call(path, { headers: reader })).status).toBe(200);
    expect((await call(path, { headers: writer })).status).toBe(403);
    const body = { name: 'F', steps: STEPS };
    expect((await call(path, { body, headers: reader })).status).toBe(403);
    expect((await call(path, { body, headers: writer })).status).toBe(201);
  });
});

const provision = (scope: AppScope) =>
  deps.sql.begin((tx) => createDefaultFunnel(tx, scope, deps.clock()));

describe('the first funnel of an app', () => {
  test('is made once, however often provisioning repeats, and stays as its owner left it', async () => {
    const { appId, list, put } = await newApp();
    const scope = { orgId: org.orgId, appId };
    await Promise.all(Array.from({ length: 5 }, () => provision(scope)));
    const [funnel, ...others] = await list();
    expect(others).toEqual([]);
    expect(funnel).toMatchObject({ name: 'Onboarding', isDefault: true });
    expect(funnel.steps.map((step: any) => step.event)).toEqual([
      'app_opened',
      'onboarding_completed',
      'paywall_viewed',
      'purchase_completed',
    ]);
    await put(funnel.id, { name: 'Ours', isDefault: false });
    await provision(scope);
    expect((await list()).map((one: any) => one.name)).toEqual(['Ours']);
  });

  test('is no conflict for a caller who makes another one at the same time', async () => {
    const { appId, create, list } = await newApp();
    const [made, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const provisioned = deps.sql.begin(async (tx) => {
      await createDefaultFunnel(tx, { orgId: org.orgId, appId }, deps.clock());
      made.resolve();
      await released.promise;
    });
    await made.promise;
    const answer = create({ name: 'Mine' });
    await until('the caller waits', async () => {
      const rows = await deps.sql`
        SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return rows.length > 0;
    });
    released.resolve();
    await provisioned;
    expect((await answer).status).toBe(201);
    const defaults = (await list()).map((one: any) => [one.name, one.isDefault]);
    expect(defaults).toEqual([
      ['Onboarding', true],
      ['Mine', false],
    ]);
  });

  test('of one app does not stand in the way of another', async () => {
    const appIds = [newId('app'), newId('app')];
    for (const appId of appIds) await provision({ orgId: org.orgId, appId });
    const rows = await deps.sql`SELECT 1 FROM funnels WHERE app_id = ANY(${appIds})`;
    expect(rows).toHaveLength(2);
  });
});
