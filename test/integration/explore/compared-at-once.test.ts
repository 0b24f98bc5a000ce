import { expect, spyOn, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const { appId, device } = await createTestApp(service, org.orgId);
const events = [{ name: 'opened', anonymousId: 'person-0001' }];
expect((await call('/v1/events', { headers: device, body: { events } })).status).toBe(202);
const steps = [
  { event: 'opened', label: 'Opened' },
  { event: 'bought', label: 'Bought' },
];
const funnel = await call(`/v1/apps/${appId}/funnels`, {
  headers: org.key,
  body: { name: 'Buying', steps },
});

/** What is asked of the query process while no answer comes, in all as many as `count`. */
async function askedAtOnce(path: string, count: number, body?: object): Promise<string[]> {
  const { queries } = deps;
  const ask = queries.ask.bind(queries);
  const asked: string[] = [];
  const all = Promise.withResolvers<void>();
  let atOnce: string[] = [];
  const spy = spyOn(queries, 'ask').mockImplementation(async (kind, question, options) => {
    asked.push(kind);
    if (asked.length === count) {
      atOnce = [...asked];
      all.resolve();
    }
    await all.promise;
    return ask(kind, question, options);
  });
  const answer = call(path, { headers: org.key, ...(body && { body }) });
  const isAll = until('all is asked', (saw) => {
    saw(asked);
    return asked.length >= count;
  });
  await isAll.finally(all.resolve);
  expect((await answer).status).toBe(200);
  spy.mockRestore();
  return atOnce.toSorted();
}

const MEASURES = { kind: 'measures', measure: { of: 'people' }, days: 7 };

test.each([
  ['events/series?days=7', undefined, ['first-event', 'series']],
  ['questions/answer', MEASURES, ['first-event', 'measures']],
  [
    `funnels/${funnel.body.id}/report?days=7&compare=previous`,
    undefined,
    ['first-event', 'funnel', 'funnel'],
  ],
])('%s asks about the days before while it asks about its own', async (path, body, kinds) => {
  const asked = await askedAtOnce(`/v1/apps/${appId}/${path}`, kinds.length, body);
  expect(asked).toEqual(kinds);
});
