import { describe, expect, test } from 'bun:test';
import { insertDemo } from '../../../src/modules/demo/index.ts';
import { createTestMember, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { sql, clock } = service.deps;
const own = await createTestOrg(service);
const demo = await createTestOrg(service);
await createTestApp(service, demo.orgId);
await insertDemo(sql, { orgId: demo.orgId, userId: demo.userId, madeAt: clock() });
const owner = await signInAs(service, demo);
const admin = await createTestMember(service, demo, 'admin');
const [organization] = await sql<{ slug: string }[]>`
  SELECT slug FROM auth.organization WHERE id = ${demo.orgId}`;
const slug = organization?.slug ?? '';

const ask = (headers: Record<string, string>, confirm = slug) =>
  service.call(`/v1/demo?confirm=${confirm}`, { method: 'DELETE', headers });

describe('the demo', () => {
  test('is told from every other organization', async () => {
    const madeAtOf = async (apiKey: string) => {
      const { status, body } = await service.call('/v1/demo', { headers: { 'x-api-key': apiKey } });
      return [status, body.madeAt];
    };
    expect(await madeAtOf(own.apiKey)).toEqual([200, null]);
    expect(await madeAtOf(demo.apiKey)).toEqual([200, expect.stringMatching(/^\d{4}-.*Z$/)]);
  });

  test('is removed by its owner only, who typed its name', async () => {
    expect((await ask({ cookie: admin.cookie })).status).toBe(403);
    expect((await ask(owner, 'another')).body.error.code).toBe('confirmation_mismatch');
    const others = await signInAs(service, own);
    expect((await ask(others)).status).toBe(404);
  });

  test('goes with its account, and nothing else does', async () => {
    const { status, body } = await ask(owner);
    expect([status, body.deleted, body.id]).toEqual([200, true, demo.orgId]);
    const signedIn = await service.call('/v1/auth/sign-in/email', {
      method: 'POST',
      body: { email: demo.email, password: demo.password },
    });
    expect(signedIn.status).toBe(401);
    expect((await service.call('/v1/apps', { headers: { 'x-api-key': demo.apiKey } })).status).toBe(
      401,
    );
    expect((await service.call('/v1/apps', { headers: { 'x-api-key': own.apiKey } })).status).toBe(
      200,
    );
  });
});
