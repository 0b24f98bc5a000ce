import { describe, expect, test } from 'bun:test';
import { PERMISSIONS } from '../../../src/shared/permissions.ts';
import { createTestMember, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';

const database = await testDatabase();
const service = await startTestService(database);
const PATH = '/v1/organization/keys';

async function newOrg() {
  const org = await createTestOrg(service);
  return { ...org, headers: await signInAs(service, org) };
}

const create = (headers: { cookie: string }, body: object) => service.call(PATH, { headers, body });

describe('organization keys', () => {
  test('are made with a name and permissions; the secret is shown once', async () => {
    const { headers, orgId } = await newOrg();
    const made = await create(headers, { name: 'CI', permissions: ['app:read', 'analytics:read'] });
    expect(made.status).toBe(201);
    const { key, secret } = made.body;
    expect(secret).toMatch(/^svk_[A-Za-z]{64}$/);
    expect(key).toMatchObject({ name: 'CI', prefix: secret.slice(0, 10), revokedAt: null });
    expect(key.permissions.toSorted()).toEqual(['analytics:read', 'app:read']);

    const listed = await service.call(PATH, { headers });
    expect(listed.body.map(({ name }: { name: string }) => name)).toEqual(['bootstrap', 'CI']);
    expect(listed.text).not.toContain(secret);
    const stored = JSON.stringify(await database.sql`SELECT * FROM auth.apikey`);
    expect(stored).not.toContain(secret);
    expect(await service.deps.identity.authenticator.orgKey(secret)).toMatchObject({ orgId });
  });

  test('do what their permissions say, by either header', async () => {
    const { headers } = await newOrg();
    const { secret } = (await create(headers, { name: 'R', permissions: ['app:read'] })).body;
    for (const key of [{ 'x-api-key': secret }, { authorization: `Bearer ${secret}` }]) {
      expect((await service.call('/v1/apps', { headers: key })).status).toBe(200);
      const body = { slug: 'an-app', displayName: 'An app' };
      const refused = await service.call('/v1/apps', { headers: key, body });
      expect(refused).toMatchObject({
        status: 403,
        body: { error: { code: 'permission_denied' } },
      });
    }
  });

  test('that are revoked are refused at once here, and stay in the list', async () => {
    const { headers } = await newOrg();
    const made = (await create(headers, { name: 'Old', permissions: ['app:read'] })).body;
    const key = { 'x-api-key': made.secret };
    expect((await service.call('/v1/apps', { headers: key })).status).toBe(200);
    const path = `${PATH}/${made.key.id}`;
    expect((await service.call(path, { method: 'DELETE', headers })).status).toBe(204);
    const refused = await service.call('/v1/apps', { headers: key });
    expect(refused).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
    const [, revoked] = (await service.call(PATH, { headers })).body;
    expect(revoked.revokedAt).toBeString();
    expect((await service.call(path, { method: 'DELETE', headers })).status).toBe(204);
    const [, again] = (await service.call(PATH, { headers })).body;
    expect(again.revokedAt).toBe(revoked.revokedAt);
  });

  test('of another organization cannot be revoked, and look like none', async () => {
    const [mine, other] = await Promise.all([newOrg(), newOrg()]);
    const [foreign] = (await service.call(PATH, { headers: other.headers })).body;
    const remove = (id: string) =>
      service.call(`${PATH}/${id}`, { method: 'DELETE', headers: mine.headers });
    const [wrong, unknown] = await Promise.all([remove(foreign.id), remove('nothing')]);
    expect(wrong.status).toBe(404);
    expect(wrong.text).toBe(unknown.text);
    const answer = await service.call('/v1/apps', { headers: other.key });
    expect(answer.status).toBe(200);
  });

  test('are for owners and admins, never for keys', async () => {
    const org = await newOrg();
    for (const [role, status] of [
      ['admin', 200],
      ['member', 403],
      ['viewer', 403],
    ] as const) {
      const { cookie } = await createTestMember(service, org, role);
      expect((await service.call(PATH, { headers: { cookie } })).status).toBe(status);
    }
    expect((await service.call(PATH, { headers: org.key })).status).toBe(401);
  });

  test('hold at least one permission, and only known ones', async () => {
    const { headers } = await newOrg();
    for (const permissions of [[], ['app:own'], ['app:read', 'app:read'], undefined]) {
      const answer = await create(headers, { name: 'Bad', permissions });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
    }
    const named = await create(headers, { name: '', permissions: [...PERMISSIONS] });
    expect(named.status).toBe(400);
  });

  test('made by an earlier release still count', async () => {
    const { orgId } = await newOrg();
    // A row as better-auth 1.7.5 wrote it: the hash is SHA-256 in unpadded base64url.
    const secret = `svk_${'aB'.repeat(32)}`;
    await database.sql`
      INSERT INTO auth.apikey (id, "configId", name, start, "referenceId", prefix, key, enabled,
        "createdAt", "updatedAt", permissions)
      VALUES ('stored', 'organization', 'stored', 'svk_aBaBaB', ${orgId}, 'svk_',
        'aeqKt5Bt-7s7qU1x30OLDjcBBnIEqU5fGAo6nEfzDzA', true, now(), now(), '{"app":["read"]}')`;
    const answer = await service.call('/v1/apps', { headers: { 'x-api-key': secret } });
    expect(answer.status).toBe(200);
  });
});
