import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import {
  createTestApp,
  createTestKey,
  createTestOrg,
  startTestService,
  type TestOrg,
} from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
const org = await createTestOrg(service);

const SERIES = { kind: 'series', series: [{ events: ['searched'] }, { events: ['found'] }] };
const FUNNEL = { kind: 'funnel', steps: [{ events: ['opened'] }, { events: ['bought'] }] };
const MEASURES = { kind: 'measures', measure: { of: 'sessionLength' } };
const ABOVE = { kind: 'threshold', side: 'above', value: 10 };
const CHANGE = { kind: 'change' };

async function newApp(own: TestOrg = org) {
  const app = await createTestApp(service, own.orgId);
  const path = `/v1/apps/${app.appId}`;
  const ask = async (question: object, name: string = crypto.randomUUID()): Promise<string> => {
    const body = { name, question };
    return (await call(`${path}/questions`, { headers: own.key, body })).body.id;
  };
  return {
    ...app,
    path,
    ask,
    get: (tail = '', headers: Record<string, string> = own.key) =>
      call(`${path}/watches${tail}`, { headers }),
    watch: (body: object, headers: Record<string, string> = own.key) =>
      call(`${path}/watches`, { headers, body }),
    change: (id: string, body: object, headers: Record<string, string> = own.key) =>
      call(`${path}/watches/${id}`, { method: 'PUT', headers, body }),
    remove: (id: string, headers: Record<string, string> = own.key) =>
      call(`${path}/watches/${id}`, { method: 'DELETE', headers }),
  };
}
const shared = newApp();

describe('a watch', () => {
  test('waits for its first look, is listed, changed and deleted', async () => {
    const { ask, get, watch, change, remove } = await newApp();
    const questionId = await ask(SERIES);
    const made = await watch({ questionId, figure: { of: 'people', series: 2 }, rule: ABOVE });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      ...{ questionId, state: 'waiting', since: null, last: null, error: null, rule: ABOVE },
      owner: { kind: 'orgKey' },
    });
    const { id } = made.body;
    expect((await get()).body).toEqual([made.body]);
    expect((await get(`/${id}`)).body).toEqual(made.body);
    expect((await get(`/${id}/history`)).body).toEqual([]);
    const edited = await change(id, { rule: CHANGE });
    expect(edited.body).toMatchObject({ id, rule: CHANGE, figure: { of: 'people', series: 2 } });
    expect((await remove(id)).status).toBe(204);
    expect((await get(`/${id}`)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
  });

  test('goes with its question, and with its app', async () => {
    const { ask, get, watch, path, appId } = await newApp();
    const [one, other] = [await ask(FUNNEL), await ask(FUNNEL)];
    const figure = { of: 'conversion' };
    await watch({ questionId: one, figure, rule: CHANGE });
    const left = await watch({ questionId: other, figure, rule: CHANGE });
    await deps.sql`INSERT INTO watch_looks VALUES (${org.orgId}, ${left.body.id}, now(), '{}')`;
    const gone = await call(`${path}/questions/${one}`, { method: 'DELETE', headers: org.key });
    expect(gone.status).toBe(204);
    await deps.sql`DELETE FROM watch_looks WHERE watch_id = ${left.body.id}`;
    expect((await get()).body).toEqual([left.body]);
    await deps.sql`DELETE FROM apps WHERE app_id = ${appId}`;
    expect(await deps.sql`SELECT FROM watches WHERE app_id = ${appId}`).toHaveLength(0);
  });

  test('is one of twenty of an app, however many are made at once', async () => {
    const { ask, watch } = await newApp();
    const body = { questionId: await ask(SERIES), figure: { of: 'events' }, rule: ABOVE };
    const made = await Promise.all(Array.from({ length: 22 }, () => watch(body)));
    const statuses = made.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 409)).toHaveLength(2);
  });

  test('is of its organization and app alone; who may not change the app only reads it', async () => {
    const { ask, watch, get, change, remove } = await newApp();
    const stranger = await createTestOrg(service);
    const others = [await newApp(stranger), await newApp()];
    const questionId = await ask(SERIES);
    const body = { questionId, figure: { of: 'people' }, rule: ABOVE };
    const { id } = (await watch(body)).body;
    for (const tail of ['', `/${id}`, `/${id}/history`]) {
      expect((await get(tail, stranger.key)).status).toBe(404);
    }
    for (const other of others) {
      expect((await other.get(`/${id}`)).status).toBe(404);
      expect((await other.change(id, { rule: CHANGE })).status).toBe(404);
      expect((await other.remove(id)).status).toBe(404);
      const foreign = await other.watch(body);
      expect([foreign.status, foreign.body.error.hint]).toEqual([
        400,
        'questionId: must be a saved question of this app',
      ]);
    }
    const viewer = await createTestKey(service, org, ['analytics:read', 'app:read']);
    for (const tail of ['', `/${id}`, `/${id}/history`]) {
      expect((await get(tail, viewer)).status).toBe(200);
    }
    expect((await watch(body, viewer)).status).toBe(403);
    expect((await change(id, { rule: CHANGE }, viewer)).status).toBe(403);
    expect((await remove(id, viewer)).status).toBe(403);
  });

  const HOURLY = { ...SERIES, interval: 'hour' };
  test.each([
    [SERIES, { of: 'conversion' }, ABOVE, 'figure.of: conversion is a figure of funnel'],
    [FUNNEL, { of: 'people' }, ABOVE, 'figure.of: people is a figure of series'],
    [{ kind: 'retention' }, { of: 'value' }, ABOVE, 'figure.of: value is a figure of measures'],
    [SERIES, { of: 'people', series: 3 }, ABOVE, 'figure.series'],
    [FUNNEL, { of: 'conversion', step: 3 }, CHANGE, 'figure.step'],
    [HOURLY, { of: 'people' }, CHANGE, 'rule: a change needs'],
    [SERIES, { of: 'guess' }, ABOVE, 'figure'],
    [MEASURES, { of: 'value' }, { kind: 'threshold', side: 'above' }, 'rule.value'],
  ])('of %j by %j and %j is refused: %s', async (question, figure, rule, hint) => {
    const { ask, watch } = await shared;
    const { status, body } = await watch({ questionId: await ask(question), figure, rule });
    expect(status).toBe(400);
    expect(body.error.hint).toStartWith(hint);
  });

  test.each([
    [HOURLY, { of: 'people' }, ABOVE],
    [MEASURES, { of: 'value' }, CHANGE],
    [FUNNEL, { of: 'conversion', step: 2 }, CHANGE],
  ])('of %j by %j and %j is made', async (question, figure, rule) => {
    const { ask, watch } = await shared;
    const made = await watch({ questionId: await ask(question), figure, rule });
    expect(made.status).toBe(201);
  });
});

test('watches are told until they are switched off, which callers of before leave alone', async () => {
  const own = await createTestOrg(service);
  const path = '/v1/digests/messages';
  const read = async () => (await call(path, { headers: own.key })).body;
  expect((await read()).watches).toBe(true);
  const before = { alerts: true, subscribers: false, refunds: false, billingProblems: false };
  const put = (body: object) =>
    call(path, { method: 'PUT', headers: own.key, body: { ...before, quietHours: null, ...body } });
  expect((await put({ watches: false })).body.watches).toBe(false);
  expect((await put({})).body).toMatchObject({ watches: false, alerts: true });
  expect(await read()).toMatchObject({ watches: false });
});
