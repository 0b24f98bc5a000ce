import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import {
  createTestApp,
  createTestKey,
  createTestOrg,
  startTestService,
  type TestOrg,
} from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);

const SEARCHES = { kind: 'series', series: [{ events: ['searched'] }], days: 7, compare: false };
const STEPS = [{ events: ['opened'] }, { events: ['bought'] }];

async function newApp(own: TestOrg = org) {
  const app = await createTestApp(service, own.orgId);
  const path = `/v1/apps/${app.appId}/questions`;
  return {
    ...app,
    path,
    get: (tail = '', headers: Record<string, string> = own.key) =>
      call(`${path}${tail}`, { headers }),
    save: (body: object, headers: Record<string, string> = own.key) =>
      call(path, { headers, body }),
    change: (id: string, body: object) =>
      call(`${path}/${id}`, { method: 'PUT', headers: own.key, body }),
    remove: (id: string, headers: Record<string, string> = own.key) =>
      call(`${path}/${id}`, { method: 'DELETE', headers }),
  };
}
const shared = newApp();

describe('a saved question', () => {
  test('is read back by name, edited and deleted', async () => {
    const { get, save, change, remove } = await newApp();
    const late = await save({ name: 'Searches', question: SEARCHES });
    expect(late.status).toBe(201);
    expect(late.body).toMatchObject({ name: 'Searches', question: SEARCHES });
    expect(late.body.owner.kind).toBe('orgKey');
    const funnel = { kind: 'funnel', steps: STEPS };
    const early = await save({ name: 'Buying', question: funnel });
    expect((await get()).body).toEqual([early.body, late.body]);
    const edited = await change(late.body.id, { question: funnel });
    expect(edited.body).toMatchObject({ id: late.body.id, name: 'Searches', question: funnel });
    expect((await get(`/${late.body.id}`)).body).toEqual(edited.body);
    expect((await remove(late.body.id)).status).toBe(204);
    expect((await remove(late.body.id)).status).toBe(404);
    expect((await get(`/${late.body.id}/answer`)).status).toBe(404);
  });

  test('is answered at its address as the question itself', async () => {
    const { path, device, get, save } = await newApp();
    const ids = Array.from({ length: 4 }, (_, n) => `person-000${n}`);
    const events = ids.map((anonymousId) => ({ name: 'searched', anonymousId }));
    expect((await call('/v1/events', { headers: device, body: { events } })).status).toBe(202);
    const { id } = (await save({ name: 'Searches', question: SEARCHES })).body;
    const asked = await call(`${path}/answer`, { headers: org.key, body: SEARCHES });
    const saved = await get(`/${id}/answer`);
    expect([asked.status, saved.status]).toEqual([200, 200]);
    expect(saved.body.points).toEqual(asked.body.points);
    expect(saved.body.points.at(-1)).toMatchObject({ people: 4, events: 4 });
  });

  test('has its name alone in the app, and an app has two hundred', async () => {
    const { save, appId } = await newApp();
    const both = await Promise.all([
      save({ name: 'Twice', question: SEARCHES }),
      save({ name: 'Twice', question: SEARCHES }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    await deps.sql`
      INSERT INTO saved_questions SELECT 'qst_' || ${appId} || n, ${org.orgId}, ${appId}, 'n' || n,
        '{"kind":"retention"}', 'user', 'u', now(), now() FROM generate_series(1, 198) n`;
    expect((await save({ name: 'last', question: SEARCHES })).status).toBe(201);
    expect((await save({ name: 'more', question: SEARCHES })).status).toBe(409);
  });

  test('is of its organization and app alone, and goes with the app', async () => {
    const { save, get, remove, appId } = await newApp();
    const stranger = await createTestOrg(service);
    const others = [await newApp(stranger), await newApp()];
    const { id } = (await save({ name: 'ours', question: SEARCHES })).body;
    for (const tail of ['', `/${id}`, `/${id}/answer`]) {
      expect((await get(tail, stranger.key)).status).toBe(404);
    }
    for (const other of others) {
      expect((await other.get(`/${id}/answer`)).status).toBe(404);
      expect((await other.remove(id)).status).toBe(404);
      expect((await other.get()).body).toEqual([]);
    }
    const reader = await createTestKey(service, org, ['analytics:read']);
    expect((await get(`/${id}`, reader)).status).toBe(200);
    expect((await save({ name: 'no', question: SEARCHES }, reader)).status).toBe(403);
    expect((await remove(id, reader)).status).toBe(403);
    await deps.sql`DELETE FROM apps WHERE app_id = ${appId}`;
    expect(await deps.sql`SELECT FROM saved_questions WHERE app_id = ${appId}`).toHaveLength(0);
  });

  const wrong = { all: [{ field: 'platform', op: 'is', value: 5 }] };
  test.each([
    [{ kind: 'series', series: [{ where: wrong }] }, 'question.series[0].where.all[0].value'],
    [{ kind: 'funnel', steps: STEPS, where: wrong }, 'question.where.all[0].value'],
    [{ kind: 'retention', return: { where: wrong } }, 'question.return.where.all[0].value'],
    [
      {
        kind: 'funnel',
        steps: STEPS,
        exclusions: [{ selection: { where: wrong }, after: 1, before: 2 }],
      },
      'question.exclusions[0].selection.where.all[0].value',
    ],
    [
      { kind: 'measures', selection: { where: wrong }, measure: { of: 'people' } },
      'question.selection.where.all[0].value',
    ],
    [{ kind: 'lifecycle', selection: { where: wrong } }, 'question.selection.where.all[0].value'],
    [
      { kind: 'paths', selection: { events: ['opened'], where: { any: [wrong] } } },
      'question.selection.where.any[0].all[0].value',
    ],
    [{ kind: 'series', series: [] }, 'question.series'],
    [{ kind: 'guess' }, 'question'],
  ])('is refused for %j, naming %s', async (question, place) => {
    const { save } = await shared;
    const { status, body } = await save({ name: 'wrong', question });
    expect(status).toBe(400);
    expect(body.error.hint).toStartWith(place);
  });
});
