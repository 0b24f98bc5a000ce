import { expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
await startTestQueries(service.deps);
const org = await createTestOrg(service);
const app = await createTestApp(service, org.orgId);
const path = `/v1/apps/${app.appId}`;

const describe = (...personIds: string[]) =>
  service.call(`${path}/person/facts`, { headers: org.key, body: { personIds } });

async function send(context: object, ...events: object[]) {
  const body = { context, events };
  const sent = await service.call('/v1/events', { headers: app.device, body });
  expect(sent.status).toBe(202);
}

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const event = (anonymousId: string, days: number, userId?: string) => ({
  ...{ name: 'app_opened', anonymousId, ts: daysAgo(days), ...(userId && { userId }) },
});

const nothing = {
  ...{ firstEventAt: null, lastEventAt: null, platform: null, appVersion: null, country: null },
  ...{ productId: null, state: 'nothing_bought' },
};

test('what is known of people is what their last events say, and their grant, in either file', async () => {
  const context = { platform: 'ios', appVersion: '2.3.0', country: 'DE' };
  await send(context, event('device-ann', 3), event('device-eve', 2));
  await send({ ...context, appVersion: '2.4.0' }, event('device-ann', 1, 'ann'));
  await send({ platform: 'android' }, event('device-bob', 2));
  const body = { userId: 'ann', productId: 'pro', expiresAt: daysAgo(-7) };
  const granted = await service.call(`${path}/purchases/grants`, { headers: org.key, body });
  expect(granted.status).toBe(201);
  const known = async () => (await describe('ann', 'device-bob', 'nobody')).body.people;
  const before = await known();
  expect(before).toMatchObject([
    { ...context, personId: 'ann', appVersion: '2.4.0', productId: 'pro', state: 'granted' },
    {
      ...nothing,
      personId: 'device-bob',
      platform: 'android',
      ...{ firstEventAt: before[1].lastEventAt, lastEventAt: before[1].lastEventAt },
    },
    { ...nothing, personId: 'nobody' },
  ]);
  expect(before[0].firstEventAt.slice(0, 10)).toBe(daysAgo(3).slice(0, 10));
  expect(before[0].lastEventAt.slice(0, 10)).toBe(daysAgo(1).slice(0, 10));
  await compactEverything(service.deps);
  expect(await known()).toEqual(before);
});

test('at most 250 people are described at once', async () => {
  const many = Array.from({ length: 251 }, (_, index) => `user-${index}`);
  expect((await describe(...many)).status).toBe(400);
  expect((await describe(...many.slice(1))).status).toBe(200);
});
