import { expect, test } from 'bun:test';
import { ACCESS } from '../../support/access/table.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const org = await createTestOrg(service);
const app = await createTestApp(service, org.orgId);

const READS_NO_BODY = new Set(['GET', 'HEAD']);
const BODIES = Object.entries(ACCESS).flatMap(([route, { secret, who }]) => {
  const [method = '', path = ''] = route.split(' ');
  // Behind a secret of the operator every body is the same 404, unread.
  if (READS_NO_BODY.has(method) || secret) return [];
  const headers = who.includes('device') ? app.device : org.key;
  const ofTheApp = path.replace(':id', app.appId).replaceAll(/:\w+/g, 'x');
  return [{ route, method, path: ofTheApp, headers }];
});

test('there are many', () => expect(BODIES.length).toBeGreaterThan(100));

test.each(BODIES)('$route refuses 65,537 bytes', async ({ method, path, headers }) => {
  const rawBody = `{"a":"${'x'.repeat(65_537 - 8)}"}`;
  expect(rawBody).toHaveLength(65_537);
  expect((await service.call(path, { method, rawBody, headers })).status).toBe(413);
});
