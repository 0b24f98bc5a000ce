import { afterAll, describe, expect, test } from 'bun:test';
import { firstAccountCode } from '../../../src/modules/identity/accounts/first-account.ts';
import { inviteToSignUp } from '../../../src/modules/identity/accounts/operator.ts';
import { setMemberRole } from '../../../src/modules/identity/members/members.ts';
import { bootstrap } from '../../../src/modules/identity/organizations/bootstrap.ts';
import { migrate } from '../../../src/storage/migrate.ts';
import { startSmtpSimulator } from '../../simulators/smtp/server.ts';
import { cookieOf, createTestPerson, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService, type TestService } from '../../support/service.ts';

const smtp = startSmtpSimulator();
afterAll(smtp.stop);
const SMTP = { SMTP_URL: smtp.url, MAIL_FROM: 'service@example.com' };
const database = await testDatabase();
const mailing = await startTestService(database, { env: SMTP });
const mailless = await startTestService(database);
const open = await startTestService(database, { env: { ...SMTP, SIGN_UP: 'open' } });

const newEmail = () => `${crypto.randomUUID()}@example.com`;
const PASSWORD = 'correct horse battery';

async function proved(email: string): Promise<boolean> {
  const [row] = await database.sql`
    SELECT "emailVerified" AS proved FROM auth."user" WHERE email = ${email}`;
  return row?.proved;
}

async function invite(on: TestService, email: string) {
  const org = await createTestOrg(on);
  const headers = await signInAs(on, org);
  const body = { email, role: 'viewer' };
  const answer = await on.call('/v1/auth/organization/invite-member', { body, headers });
  expect(answer.status).toBe(200);
  return { org, headers, ...answer.body };
}

const signUp = (on: TestService, email: string, invitationId?: string) =>
  on.call('/v1/auth/sign-up/email', {
    body: {
      name: 'New',
      email,
      password: PASSWORD,
      invitationId,
      firstAccountCode: firstAccountCode(on.deps.config),
    },
  });

const accept = (on: TestService, headers: { cookie: string }, invitationId: string) =>
  on.call('/v1/auth/organization/accept-invitation', { headers, body: { invitationId } });

const secretIn = (text: string) =>
  new URLSearchParams(/#(\S+)/.exec(text)?.[1] ?? '').get('id') ?? '';

/** Every row of better-auth's tables that hold secrets, as text. */
async function stored(): Promise<string> {
  const rows = await database.sql`
    SELECT (SELECT json_agg(v) FROM auth.verification v)::text AS verification,
      (SELECT json_agg(i) FROM auth.invitation i)::text AS invitation`;
  return JSON.stringify(rows);
}

await createTestPerson(mailing);

describe('secrets of mails and links', () => {
  test('are nowhere in the database: of resets, invitations, sign-ups', async () => {
    const person = await createTestPerson(mailing);
    await mailing.call('/v1/auth/request-password-reset', { body: { email: person.email } });
    const token = /#token=(\S+)/.exec((await smtp.mailTo(person.email)).text)?.[1] ?? '';
    const email = newEmail();
    await invite(mailing, email);
    const mailed = secretIn((await smtp.mailTo(email)).text);
    const handed = (await invite(mailless, newEmail())).id;
    const made = await inviteToSignUp(
      { deps: mailing.deps, requestId: 't' },
      { email: newEmail() },
    );
    const text = await stored();
    for (const secret of [token, mailed, handed, made.invitationId]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(text).not.toContain(secret);
    }
  });

  test('that were kept in plain text before stay valid, and are hashed in place', async () => {
    const own = await testDatabase();
    const service = await startTestService(own, { env: SMTP });
    const org = await createTestOrg(service);
    const person = await createTestPerson(service);
    await own.sql`DELETE FROM schema_migrations WHERE name LIKE '0024%'`;
    await own.sql`DROP INDEX auth.invitation_inviter`;
    await own.sql`ALTER TABLE auth.invitation DROP COLUMN secret_hash, DROP COLUMN secret_mailed`;
    const secret = 'OldInvitationSecret0123456789ab';
    const token = 'OldResetToken01234567890';
    await own.sql`
      INSERT INTO auth.invitation
        (id, "organizationId", email, role, status, "expiresAt", "inviterId")
      VALUES (${secret}, ${org.orgId}, ${person.email}, 'viewer', 'pending',
        now() + interval '1 day', ${org.userId})`;
    await own.sql`
      INSERT INTO auth.verification (id, identifier, value, "expiresAt")
      VALUES ('v', ${`reset-password:${token}`}, ${person.userId}, now() + interval '1 hour')`;
    await own.sql`UPDATE auth."user" SET "emailVerified" = false`;
    expect(await migrate(own.sql)).toEqual(['0024_proved_addresses.sql']);
    const [row] = await own.sql`
      SELECT (SELECT json_agg(v) FROM auth.verification v)::text
        || (SELECT json_agg(i) FROM auth.invitation i)::text AS text,
        (SELECT bool_and("emailVerified") FROM auth."user") AS proved`;
    expect(row?.text).not.toContain(secret);
    expect(row?.text).not.toContain(token);
    expect(row?.proved).toBe(true);
    const body = { token, newPassword: 'the new password' };
    expect((await service.call('/v1/auth/reset-password', { body })).status).toBe(200);
    const headers = await signInAs(service, { ...person, password: 'the new password' });
    expect((await accept(service, headers, secret)).body).toMatchObject({ role: 'viewer' });
  });

  test('do not serve in the form in which the database has them', async () => {
    const { id, org } = await invite(mailless, newEmail());
    const [row] = await database.sql`
      SELECT id, encode(secret_hash, 'hex') AS hash, email FROM auth.invitation
      WHERE "organizationId" = ${org.orgId}`;
    for (const wrong of [row?.id, row?.hash]) {
      expect((await signUp(mailless, row?.email, wrong)).status).toBe(403);
    }
    expect((await signUp(mailless, row?.email, id)).status).toBe(200);
  });
});

describe('an address is proved', () => {
  test('by an invitation whose secret was in the mail only', async () => {
    const email = newEmail();
    const invitation = await invite(mailing, email);
    expect(invitation).toMatchObject({ mailed: true, id: null, link: null });
    const secret = secretIn((await smtp.mailTo(email)).text);
    expect((await signUp(mailing, email, secret)).status).toBe(200);
    expect(await proved(email)).toBe(true);
  });

  test('by the same, for an account that was there', async () => {
    const email = newEmail();
    const headers = cookieOf((await signUp(open, email)).headers);
    expect(await proved(email)).toBe(false);
    await invite(mailing, email);
    await accept(mailing, headers, secretIn((await smtp.mailTo(email)).text));
    expect(await proved(email)).toBe(true);
  });

  test('by a reset', async () => {
    const email = newEmail();
    await signUp(open, email);
    await mailing.call('/v1/auth/request-password-reset', { body: { email } });
    const token = /#token=(\S+)/.exec((await smtp.mailTo(email)).text)?.[1] ?? '';
    const body = { token, newPassword: 'the new password' };
    expect((await mailing.call('/v1/auth/reset-password', { body })).status).toBe(200);
    expect(await proved(email)).toBe(true);
  });

  test('by the word of the operator: bootstrap, sign-up invitations, the first account', async () => {
    const own = await startTestService(await testDatabase());
    const first = newEmail();
    await signUp(own, first);
    const [row] = await own.deps.sql`SELECT "emailVerified" AS proved FROM auth."user"`;
    expect(row?.proved).toBe(true);
    const email = newEmail();
    const { invitationId } = await inviteToSignUp(
      { deps: mailless.deps, requestId: 't' },
      { email },
    );
    await signUp(mailless, email, invitationId);
    expect(await proved(email)).toBe(true);
    expect(await proved((await createTestOrg(mailless)).email)).toBe(true);
  });

  test('not by a link that the inviter saw; it joins that organization and no other', async () => {
    const email = newEmail();
    const { id, org } = await invite(mailless, email);
    const other = await invite(mailless, email);
    const headers = cookieOf((await signUp(mailless, email, id)).headers);
    const joined = await accept(mailless, headers, id);
    expect(joined.body).toMatchObject({ activeOrganizationId: org.orgId, role: 'viewer' });
    expect(await proved(email)).toBe(false);
    const listed = await mailless.call('/v1/auth/organization/list', { headers });
    expect(listed.body).toHaveLength(1);
    expect(other.id).not.toBe(id);
  });
});

describe('an account with an unproved address', () => {
  test('is given nothing by bootstrap and member role, unless it is said to be meant', async () => {
    const email = newEmail();
    await signUp(open, email);
    const org = await createTestOrg(mailless);
    const ctx = { deps: mailless.deps };
    const role = { orgId: org.orgId, email, role: 'admin' } as const;
    const conflict = { code: 'conflict', hint: expect.stringContaining('--existing') };
    await expect(bootstrap(ctx, { organization: 'Theirs', email })).rejects.toMatchObject(conflict);
    await expect(setMemberRole(ctx, role)).rejects.toMatchObject(conflict);
    expect(await setMemberRole(ctx, { ...role, existing: true })).toMatchObject({ role: 'admin' });
    const made = await bootstrap(ctx, { organization: 'Theirs', email, existing: true });
    expect(made.password).toBeNull();
  });

  test('is named in no mail', async () => {
    const email = newEmail();
    const headers = cookieOf((await signUp(open, email)).headers);
    const body = { name: 'Victim Corp' };
    await open.call('/v1/auth/organization/create', { body, headers });
    const invited = newEmail();
    const invitation = { email: invited, role: 'member' };
    await open.call('/v1/auth/organization/invite-member', { body: invitation, headers });
    const mail = await smtp.mailTo(invited);
    expect(mail.text).toContain('You are invited to join Victim Corp.');
    expect(`${mail.headers}${mail.text}`).not.toContain(email);
  });
});

describe('a changed password', () => {
  test('is told to the owner of the address, and ends every session at once', async () => {
    const org = await createTestOrg(mailing);
    const headers = await signInAs(mailing, org);
    expect((await mailing.call('/v1/apps', { headers })).status).toBe(200);
    await mailing.call('/v1/auth/request-password-reset', { body: { email: org.email } });
    const token = /#token=(\S+)/.exec((await smtp.mailTo(org.email)).text)?.[1] ?? '';
    const body = { token, newPassword: 'the new password' };
    await mailing.call('/v1/auth/reset-password', { body });
    expect((await mailing.call('/v1/apps', { headers })).status).toBe(401);
    const notice = await smtp.nextMailTo(org.email, 1);
    expect(notice.headers).toContain('Your password was changed');
  });
});

describe('at the same moment', () => {
  test('five invitations to one address leave one open', async () => {
    const org = await createTestOrg(mailless);
    const headers = await signInAs(mailless, org);
    const email = newEmail();
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(() =>
        mailless.call('/v1/auth/organization/invite-member', {
          body: { email, role: 'member' },
          headers,
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const listed = await mailless.call('/v1/auth/organization/list-invitations', { headers });
    expect(listed.body).toHaveLength(1);
    const taken = await Promise.all(answers.map(({ body }) => signUp(mailless, email, body.id)));
    expect(taken.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('several open invitations of one person make one membership, and no fault', async () => {
    const org = await createTestOrg(mailless);
    const inviter = await signInAs(mailless, org);
    const person = await createTestPerson(mailless);
    const headers = await signInAs(mailless, person);
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) {
      const body = { email: person.email, role: 'member' };
      const made = await mailless.call('/v1/auth/organization/invite-member', {
        body,
        headers: inviter,
      });
      ids.push(made.body.id);
    }
    // As the previous release could leave them.
    await database.sql`
      UPDATE auth.invitation SET status = 'pending' WHERE email = ${person.email}`;
    const answers = await Promise.all(ids.map((id) => accept(mailless, headers, id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });
});

describe('invitations of a day', () => {
  test('are limited for an address, with the time until the next', async () => {
    const org = await createTestOrg(mailless);
    const headers = await signInAs(mailless, org);
    const body = { email: newEmail(), role: 'member' };
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      const answer = await mailless.call('/v1/auth/organization/invite-member', { body, headers });
      statuses.push(answer.status);
      if (answer.status === 429) expect(answer.headers.get('retry-after')).toBe('3600');
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    const other = { email: newEmail(), role: 'member' };
    const answer = await mailless.call('/v1/auth/organization/invite-member', {
      body: other,
      headers,
    });
    expect(answer.status).toBe(200);
  });
});
