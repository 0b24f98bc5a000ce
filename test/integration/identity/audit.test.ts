import { describe, expect, test } from 'bun:test';
import { createTestMember, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

type Line = Record<string, unknown>;
const lines: Line[] = [];
const database = await testDatabase();
const service = await startTestService(database, {
  with: ({ log }) => ({
    log: Object.create(log, { info: { value: (fields: Line) => void lines.push(fields) } }),
  }),
});

const org = await createTestOrg(service);
const headers = await signInAs(service, org);
const lineOf = (audit: string) => lines.findLast((line) => line.audit === audit);

describe('what the log keeps', () => {
  test('of a request: the person or the key that made it', async () => {
    await service.call('/v1/apps', { headers });
    await service.call('/v1/apps', { headers: org.key });
    const { keyId } = (await service.deps.identity.authenticator.orgKey(org.apiKey)) ?? {};
    expect(keyId).toBeString();
    // Written after the answer.
    const of = (caller: string) => lines.find((line) => line.caller === caller);
    await until(
      'the audit is written',
      () => of('session') !== undefined && of('orgKey') !== undefined,
    );
    expect(of('session')).toMatchObject({ userId: org.userId, keyId: null });
    expect(of('orgKey')).toMatchObject({ userId: null, keyId });
    expect(JSON.stringify(lines)).not.toContain(org.apiKey);
  });

  test('of a wrong password: the account and the address', async () => {
    const body = { email: org.email, password: 'not the password' };
    await service.call('/v1/auth/sign-in/email', { body });
    expect(lineOf('sign_in_failed')).toMatchObject({ email: org.email, address: 'unknown' });
    expect(JSON.stringify(lines)).not.toContain('not the password');
  });

  test('of people and keys: who changed what', async () => {
    const member = await createTestMember(service, org, 'viewer');
    const listed = await service.call('/v1/auth/organization/list-members', { headers });
    const { id: memberId } = listed.body.find((one: Line) => one.userId === member.userId);
    const change = { memberId, role: 'admin' };
    const post = (route: string, body: object) => service.call(route, { body, headers });
    await post('/v1/auth/organization/update-member-role', change);
    const by = { by: org.userId, orgId: org.orgId };
    expect(lineOf('member_role_changed')).toMatchObject({
      ...by,
      userId: member.userId,
      from: 'viewer',
      to: 'admin',
    });
    const made = await post('/v1/organization/keys', { name: 'CI', permissions: ['app:read'] });
    expect(lineOf('key_created')).toMatchObject({ ...by, keyId: made.body.key.id });
    await post('/v1/auth/organization/remove-member', { memberId });
    expect(lineOf('member_removed')).toMatchObject({ ...by, userId: member.userId });
  });
});

describe('an organization key', () => {
  test('says who made it and when it was last used', async () => {
    const body = { name: 'CI', permissions: ['app:read'] };
    const made = await service.call('/v1/organization/keys', { headers, body });
    expect(made.body.key).toMatchObject({ createdBy: org.email, lastUsedAt: null });
    const list = async () => {
      const listed = await service.call('/v1/organization/keys', { headers });
      return listed.body.find((key: Line) => key.id === made.body.key.id);
    };
    expect((await list()).lastUsedAt).toBeNull();
    await service.call('/v1/apps', { headers: { 'x-api-key': made.body.secret } });
    await until('the audit is written', async () => (await list()).lastUsedAt !== null);
  });
});

describe('a viewer', () => {
  test('neither connects nor refreshes what is connected', async () => {
    const viewer = await createTestMember(service, org, 'viewer');
    const { appId } = await createTestApp(service, org.orgId);
    const path = `/v1/apps/${appId}/marketing/connections`;
    for (const route of [`${path}/photo_feed/connect`, `${path}/refresh`]) {
      const answer = await service.call(route, { method: 'POST', headers: viewer });
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } });
    }
    expect((await service.call(path, { headers: viewer })).status).toBe(200);
  });
});
