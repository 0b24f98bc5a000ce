import { expect, test } from 'bun:test';
import { eraseAccount } from '../../../src/modules/identity/index.ts';
import { everyRow } from '../../support/everywhere.ts';
import { createTestMember, createTestPerson, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
const { sql } = deps;

const everything = async () => (await everyRow(sql)).map(({ text }) => text).join('\n');
const erase = (cookie: string, body: object) =>
  call('/v1/auth/erase-account', { body, headers: { cookie } });

test('an erased account leaves neither name nor address, and its session ends', async () => {
  const org = await createTestOrg(service);
  const person = await createTestMember(service, org, 'admin');
  const { cookie, email, password, userId } = person;
  const survey = { source: 'other', sourceDetail: `told by ${email}`, building: 'an app' };
  const told = await call('/v1/onboarding', { body: survey, headers: { cookie } });
  expect(told.status).toBe(200);
  const own = `${org.orgId} ${userId}`;
  await sql`
    INSERT INTO onboarding_surveys (user_id, org_id, building, completed_at)
    VALUES (${own}, ${org.orgId}, ${`an app of ${email}`}, now())`;
  await sql`
    INSERT INTO auth.invitation (id, "organizationId", email, role, status, "expiresAt", "inviterId")
    SELECT 'inv', ${org.orgId}, ${email}, 'viewer', 'pending', now() + interval '1 day', "userId"
    FROM auth.member WHERE "organizationId" = ${org.orgId} AND "userId" <> ${userId}`;
  expect((await erase(cookie, { email: 'x@example.com', currentPassword: password })).status).toBe(
    400,
  );
  expect((await erase(cookie, { email, currentPassword: 'a wrong password' })).status).not.toBe(
    200,
  );
  expect((await erase(cookie, { email })).status).not.toBe(200);
  expect((await call('/v1/auth/sessions', { headers: { cookie } })).status).toBe(200);
  expect((await erase(cookie, { email, currentPassword: password })).status).toBe(200);
  expect((await call('/v1/auth/sessions', { headers: { cookie } })).status).toBe(401);
  expect(await everything()).not.toContain(email);
  const entries = await sql`SELECT changes FROM audit_entries WHERE operation = 'eraseAccount'`;
  expect(entries.map(({ changes }) => changes)).toEqual([
    [{ of: 'user', id: { id: userId }, before: null, after: null }],
  ]);
});

test('the only owner of an organization first gives it away', async () => {
  const org = await createTestOrg(service);
  const owner = await createTestMember(service, org, 'owner');
  await sql`
    DELETE FROM auth.member WHERE "organizationId" = ${org.orgId} AND "userId" <> ${owner.userId}`;
  const answer = { email: owner.email, currentPassword: owner.password };
  expect((await erase(owner.cookie, answer)).status).toBe(409);
  await createTestMember(service, org, 'owner');
  expect((await erase(owner.cookie, answer)).status).toBe(200);
});

test('the operator erases an account that nobody signs in to', async () => {
  const person = await createTestPerson(service);
  await signInAs(service, person);
  const ctx = { deps, requestId: 'test' };
  expect(await eraseAccount(ctx, { email: person.email })).toMatchObject({ userId: person.userId });
  expect(await everything()).not.toContain(person.email);
  expect(eraseAccount(ctx, { email: person.email })).rejects.toThrow('no account');
});
