import { expect, spyOn, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

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

/** What was asked of the query process before the first answer came. */
async function askedAtOnce(path: string, body?: object): Promise<string[]> {
  const { queries } = deps;
  const ask = queries.ask.bind(queries);
  const asked: string[] = [];
  let before: string[] | null = null;
  const spy = spyOn(queries, 'ask').mockImplementation(async (kind, question, options) => {
    asked.push(kind);
    const answer = await ask(kind, question, options);
    before ??= [...asked];
    return answer;
  });
  const { status } = await call(path, { headers: org.key, ...(body && { body }) });
  spy.mockRestore();
  expect(status).toBe(200);
  return (before ?? []).toSorted();
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
  expect(await askedAtOnce(`/v1/apps/${appId}/${path}`, body)).toEqual(kinds);
});
