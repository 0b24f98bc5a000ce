import { describe, expect, test } from 'bun:test';
import { askSaved, listSaved } from '../../../src/admin/analyst/questions.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const app = await createTestApp(service, org.orgId);
const other = await createTestOrg(service);
const ctx = { deps, requestId: 'test' };
const path = `/v1/apps/${app.appId}`;

const QUESTION = { kind: 'series', series: [{ events: ['searched'] }], days: 7 };
const saved = { name: 'Searches', question: QUESTION };
const { id } = (await call(`${path}/questions`, { headers: org.key, body: saved })).body;
const events = Array.from({ length: 3 }, (_, n) => ({
  ...{ name: 'searched', anonymousId: `person-000${n}` },
}));
await call('/v1/events', { headers: app.device, body: { events } });

const input = { org: org.orgId, app: app.appId };

describe('an analyst', () => {
  test('lists the saved questions of an app, and asks them by id, by name and as JSON', async () => {
    expect(await listSaved(ctx, input)).toMatchObject([{ id, ...saved }]);
    const { body } = await call(`${path}/questions/${id}/answer`, { headers: org.key });
    expect(body.points.at(-1).people).toBe(3);
    for (const question of [id, 'Searches', JSON.stringify(QUESTION)]) {
      const answer: any = await askSaved(ctx, { ...input, question });
      expect(answer.points).toEqual(body.points);
    }
  });

  test.each([
    [{ ...input, question: 'Finds' }, 'There is no saved question "Finds".'],
    [{ ...input, app: 'none', question: 'Searches' }, 'There is no app "none".'],
    [{ ...input, org: other.orgId, question: 'Searches' }, `There is no app "${app.appId}".`],
    [{ ...input, question: '{"kind":"guess"}' }, 'The question is not valid.'],
    [{ ...input, question: '{' }, 'The question is not valid.'],
  ])('is told what is wrong with %j', async (asked, said) => {
    await expect(askSaved(ctx, asked)).rejects.toThrow(said);
  });
});
