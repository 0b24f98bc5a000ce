import { afterAll, describe, expect, test } from 'bun:test';
import type { Role } from '../../../src/shared/permissions.ts';
import { startSmtpSimulator } from '../../simulators/smtp/server.ts';
import { createTestMember, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService, type TestOrg } from '../../support/service.ts';

const smtp = startSmtpSimulator();
afterAll(smtp.stop);
const database = await testDatabase();
const { sql } = database;
const service = await startTestService(database, {
  env: { SMTP_URL: smtp.url, MAIL_FROM: 'service@example.com', RATE_LIMIT_SCALE: '1' },
});
const { call } = service;

async function memberWithMail(org: TestOrg, role: Role = 'viewer') {
  const member = await createTestMember(service, org, role);
  const body = { kind: 'mail', name: 'Me', target: member.email };
  const made = await call('/v1/digests/destinations', { headers: org.key, body });
  expect(made.status).toBe(201);
  return { ...member, destinationId: made.body.id };
}

const sendTest = (org: TestOrg, destinationId: string) =>
  call(`/v1/digests/destinations/${destinationId}/test`, { method: 'POST', headers: org.key });
const listed = async (org: TestOrg) =>
  (await call('/v1/digests/destinations', { headers: org.key })).body;
const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address)).length;

async function remove(org: TestOrg, userId: string) {
  const headers = await signInAs(service, org);
  const members = await call('/v1/auth/organization/list-members', { headers });
  const found = members.body.find((one: { userId: string }) => one.userId === userId);
  const body = { memberId: found.id };
  return call('/v1/auth/organization/remove-member', { headers, body });
}

describe('who left an organization', () => {
  test('gets no digest any more: the destination goes with the membership', async () => {
    const org = await createTestOrg(service);
    const reader = await memberWithMail(org);
    expect((await sendTest(org, reader.destinationId)).body.delivered).toBe(true);
    expect((await remove(org, reader.userId)).status).toBe(200);
    expect(await listed(org)).toEqual([]);
    expect((await sendTest(org, reader.destinationId)).status).toBe(404);
    expect(mailsTo(reader.email)).toBe(1);
  });

  test('gets none by leaving either', async () => {
    const org = await createTestOrg(service);
    const [reader, other] = [await memberWithMail(org), await memberWithMail(org)];
    const left = await call('/v1/auth/organization/leave', {
      headers: { cookie: reader.cookie },
      body: { organizationId: org.orgId },
    });
    expect(left.status).toBe(200);
    expect(await listed(org)).toMatchObject([{ id: other.destinationId }]);
  });

  test('gets none of a destination that an earlier release made', async () => {
    const org = await createTestOrg(service);
    const reader = await memberWithMail(org);
    await sql`UPDATE digest_destinations SET reader_user_id = NULL WHERE org_id = ${org.orgId}`;
    await remove(org, reader.userId);
    const { body } = await sendTest(org, reader.destinationId);
    expect(body).toEqual({ delivered: false, error: 'Its reader is no member any more.' });
    expect(mailsTo(reader.email)).toBe(0);
    expect(await listed(org)).toMatchObject([{ goneReason: body.error }]);
  });

  test('comes back by no invitation of their own, nor does who may invite no more', async () => {
    const org = await createTestOrg(service);
    const open = async () =>
      (
        await sql`
        SELECT 1 FROM auth.invitation
        WHERE "organizationId" = ${org.orgId} AND status = 'pending'`
      ).length;
    const invite = async (cookie: string) => {
      const body = { email: `${crypto.randomUUID()}@example.com`, role: 'admin' };
      const path = '/v1/auth/organization/invite-member';
      expect((await call(path, { headers: { cookie }, body })).status).toBe(200);
    };
    const [gone, demoted, stays] = [
      await createTestMember(service, org, 'admin'),
      await createTestMember(service, org, 'admin'),
      await createTestMember(service, org, 'admin'),
    ];
    for (const { cookie } of [gone, demoted, stays]) await invite(cookie);
    expect(await open()).toBe(3);
    await remove(org, gone.userId);
    expect(await open()).toBe(2);
    const ofMember = sql`"organizationId" = ${org.orgId} AND "userId" = ${stays.userId}`;
    await sql`UPDATE auth.member SET role = 'owner' WHERE ${ofMember}`;
    expect(await open()).toBe(2);
    await sql`
      UPDATE auth.member SET role = 'viewer'
      WHERE "organizationId" = ${org.orgId} AND "userId" = ${demoted.userId}`;
    expect(await open()).toBe(1);
  });
});

describe('mail', () => {
  test('goes to no address that nobody proved', async () => {
    const org = await createTestOrg(service);
    const stranger = await createTestMember(service, org, 'owner');
    await sql`UPDATE auth."user" SET "emailVerified" = false WHERE id = ${stranger.userId}`;
    const body = { kind: 'mail', name: 'Them', target: stranger.email };
    const made = await call('/v1/digests/destinations', { headers: org.key, body });
    expect(made.status).toBe(400);
    expect(made.body.error.hint).toStartWith('target: ');
    expect(mailsTo(stranger.email)).toBe(0);
  });

  test('is tested ten times a minute, and never where its reader has ended it', async () => {
    const org = await createTestOrg(service);
    const [reader, other] = [await memberWithMail(org), await memberWithMail(org)];
    expect((await sendTest(org, reader.destinationId)).body.delivered).toBe(true);
    const { text } = await smtp.mailTo(reader.email);
    const link = new URL(/https?:\/\/\S+\/off\?\S+/.exec(text)?.[0] ?? '');
    expect((await call(`${link.pathname}${link.search}`, { method: 'POST' })).status).toBe(200);
    const { body } = await sendTest(org, reader.destinationId);
    expect(body).toMatchObject({ delivered: false });
    expect(mailsTo(reader.email)).toBe(1);
    const answers = [];
    for (let count = 0; count < 12; count += 1) {
      answers.push((await sendTest(org, other.destinationId)).status);
    }
    expect(answers.filter((status) => status === 200)).toHaveLength(9);
    expect(answers.at(-1)).toBe(429);
    expect(mailsTo(other.email)).toBe(9);
  });
});
