import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { startLyingIssuer } from '../../simulators/issuer/server.ts';
import { startSmtpSimulator } from '../../simulators/smtp/server.ts';
import { CLIENT_SECRET, companyDoors } from '../../support/company.ts';
import { startListening } from '../../support/listening.ts';
import { type Browser, newBrowser } from '../../support/oidc-issuer.ts';
import { createTestMember, createTestPerson, signInAs } from '../../support/people.ts';
import { createTestOrg } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const evil = await startLyingIssuer();
const good = await startLyingIssuer();
const smtp = startSmtpSimulator();
afterAll(smtp.stop);
const { service, url } = await startListening({
  SIGN_UP: 'open',
  SMTP_URL: smtp.url,
  MAIL_FROM: 'service@example.com',
  EGRESS_ALLOW: `127.0.0.1:${evil.port},127.0.0.1:${good.port}`,
});
const { sql, identity } = service.deps;
const doors = companyDoors(service, url);

type Issuer = typeof evil;
async function company(issuer: Issuer) {
  const org = await createTestOrg(service);
  const owner = await createTestMember(service, org, 'owner');
  const [{ slug = '' } = {}] = await sql<{ slug: string }[]>`
    SELECT slug FROM auth.organization WHERE id = ${org.orgId}`;
  const body = {
    issuer: issuer.issuer,
    clientId: 'control-plane',
    clientSecret: CLIENT_SECRET,
    domains: ['example.com'],
    groupsClaim: 'groups',
    roles: [{ group: 'boss', role: 'admin' }],
    roleWithoutGroup: 'viewer',
    isOnlyWay: false,
  };
  const provider = '/v1/auth/organization/provider';
  const made = await service.call(provider, { method: 'PUT', body, headers: owner });
  expect(made.status).toBe(200);
  return { ...org, owner, slug, issuer };
}
const bad = await company(evil);
const real = await company(good);
type Company = typeof bad;

const claims = (email: string, more: object = {}) => ({
  sub: `subject of ${email}`,
  email,
  email_verified: true,
  name: 'As the issuer says',
  ...more,
});

/** What stands behind the `#`, and the browser. */
async function comes({ issuer, slug }: Company, says: object) {
  issuer.state.says = { ...says };
  const browser = newBrowser();
  return { browser, hash: await doors.walk(browser, slug) };
}
async function joins({ issuer, slug }: Company, says: object, person: Login) {
  issuer.state.says = { ...says };
  const browser = doors.hold(newBrowser(), await signInAs(service, person));
  return { browser, hash: await doors.join(browser, slug) };
}
type Login = { email: string; password: string };

const get = async (browser: Browser, path: string) =>
  service.call(path, { headers: doors.headersOf(browser) });
const post = async (browser: Browser, path: string, body: object) =>
  service.call(path, { body, headers: doors.headersOf(browser) });
const asked = async (person: Login, path: string, body?: object) =>
  service.call(path, { headers: await signInAs(service, person), ...(body && { body }) });
const membersOf = async ({ orgId }: Pick<Company, 'orgId'>) =>
  (
    await sql<{ userId: string }[]>`
      SELECT "userId" FROM auth.member WHERE "organizationId" = ${orgId}`
  ).map(({ userId }) => userId);
const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address));

beforeEach(() => {
  for (const { state } of [evil, good]) state.onRefresh = (says) => says;
});

describe('an issuer that names somebody else’s address', () => {
  test('learns and changes nothing of their account, and makes them no member', async () => {
    const other = await createTestOrg(service);
    const person = await createTestMember(service, other, 'admin');
    await asked(person, '/v1/onboarding', { source: 'friend', building: 'their secret' });
    const { browser, hash } = await comes(bad, claims(person.email));
    expect(hash).toBe('');
    const session = await doors.session(browser);
    expect(session.user).toMatchObject({ name: 'As the issuer says', email: person.email });
    expect(session.user.id).not.toBe(person.userId);
    const [{ at = new Date(0) } = {}] = await sql<{ at: Date }[]>`
      SELECT "createdAt" AS at FROM auth."user" WHERE id = ${person.userId}`;
    expect(session.user.createdAt).not.toBe(at.toISOString());
    expect((await get(browser, '/v1/onboarding')).body).toMatchObject({ completed: false });
    const written = await post(browser, '/v1/onboarding', { building: 'changed' });
    expect(written.body.building).toBe('changed');
    expect((await asked(person, '/v1/onboarding')).body.building).toBe('their secret');
    const list = await asked(person, '/v1/auth/organization/list');
    expect(list.body.map(({ id }: { id: string }) => id)).toEqual([other.orgId]);
    expect(await membersOf(bad)).not.toContain(person.userId);
    // The answer for an address that nobody has here is the same.
    const nobody = await comes(bad, claims(`${crypto.randomUUID()}@example.com`));
    expect(nobody.hash).toBe('');
  });

  test('keeps nobody out of it: the real provider, sign-up, reset, invitation', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    expect((await comes(bad, claims(email))).hash).toBe('');
    const theirs = await comes(real, claims(email));
    expect(theirs.hash).toBe('');
    expect((await doors.session(theirs.browser)).activeOrganizationId).toBe(real.orgId);
    expect((await get(theirs.browser, '/v1/auth/organization/list')).body).toHaveLength(1);
    const password = 'a long password';
    const body = { name: 'Ada', email, password };
    expect((await service.call('/v1/auth/sign-up/email', { body })).status).toBe(200);
    const third = await createTestOrg(service);
    const host = await createTestMember(service, third, 'owner');
    await service.call('/v1/auth/organization/invite-member', {
      body: { email, role: 'viewer' },
      headers: host,
    });
    const invitation = await smtp.mailTo(email);
    const secret = /#id=([^&\s]+)/.exec(invitation.text)?.[1] ?? '';
    const accepted = await asked({ email, password }, '/v1/auth/organization/accept-invitation', {
      invitationId: secret,
    });
    expect(accepted.status).toBe(200);
    await service.call('/v1/auth/request-password-reset', { body: { email } });
    const found = await until('the mail of the reset', () =>
      mailsTo(email)
        .map(({ text }) => /reset-password#token=(\S+)/.exec(text)?.[1])
        .find((token) => token !== undefined),
    );
    const reset = { token: found, newPassword: 'another long one' };
    expect((await service.call('/v1/auth/reset-password', { body: reset })).status).toBe(200);
    const again = await comes(bad, claims(email));
    expect(again.hash).toBe('');
    expect((await doors.session(again.browser)).activeOrganizationId).toBe(bad.orgId);
  });

  test('has no mail sent there', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const { browser } = await comes(bad, claims(email, { groups: ['boss'] }));
    const body = { kind: 'mail', name: 'Them', target: email };
    expect((await post(browser, '/v1/digests/destinations', body)).status).toBe(400);
    const asOwner = { body, headers: bad.owner };
    expect((await service.call('/v1/digests/destinations', asOwner)).status).toBe(400);
    expect(mailsTo(email)).toEqual([]);
  });

  test('is refused what is no address, or a name that nothing can keep', async () => {
    for (const email of ['a@one.example,x@example.com', 'a\n@example.com', '@example.com']) {
      expect((await comes(bad, claims(email))).hash).toBe('#refused=address_not_valid');
    }
    const long = claims(`${crypto.randomUUID()}@example.com`, { sub: 'x'.repeat(3_000) });
    expect((await comes(bad, long)).hash).toBe('#refused=answer_not_valid');
    const email = `${crypto.randomUUID()}@example.com`;
    const { browser } = await comes(bad, claims(email, { name: '\ud800 '.repeat(200) }));
    expect((await doors.session(browser)).user.name).toBe(email);
  });

  test('makes no accounts without bound, nor where nobody may', async () => {
    const full = await company(evil);
    await sql`
      INSERT INTO auth."user" (id, name, email, "emailVerified", "createdAt", "updatedAt",
        company_org_id, company_email)
      SELECT ${full.orgId} || n, 'x', ${full.orgId} || n, false, now(), now(), ${full.orgId}, 'x'
      FROM generate_series(1, 500) n`;
    const newcomer = () => claims(`${crypto.randomUUID()}@example.com`);
    expect((await comes(full, newcomer())).hash).toBe('#refused=too_many_today');
    await sql`UPDATE auth."user" SET "createdAt" = now() - interval '25 hours'
      WHERE company_org_id = ${full.orgId}`;
    await sql`
      INSERT INTO auth.member (id, "organizationId", "userId", role, "createdAt")
      SELECT id, company_org_id, id, 'viewer', now() FROM auth."user"
      WHERE company_org_id = ${full.orgId}
      LIMIT 500 - (SELECT count(*) FROM auth.member WHERE "organizationId" = ${full.orgId})`;
    expect(await membersOf(full)).toHaveLength(500);
    expect((await comes(full, newcomer())).hash).toBe('#refused=full');
    expect(await membersOf(full)).toHaveLength(500);
    const { config } = service.deps;
    const { signUp } = config;
    Object.assign(config, { signUp: 'closed' });
    expect((await comes(bad, newcomer())).hash).toBe('#refused=sign_up_closed');
    Object.assign(config, { signUp });
  });
});

describe('an account of one’s own', () => {
  test('joins by an act of its owner only, who is told by mail', async () => {
    const person = await createTestMember(service, real, 'member');
    expect((await comes(real, claims(person.email))).hash).toBe('#refused=join_first');
    expect(mailsTo(person.email)).toEqual([]);
    const elsewhere = newBrowser();
    expect(await doors.join(elsewhere, real.slug)).toBe(401);
    const foreign = await service.call('/v1/auth/oidc/join', {
      body: { organization: real.slug },
      headers: { ...(await signInAs(service, person)), origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
    const { hash, browser } = await joins(real, claims(person.email, { groups: ['boss'] }), person);
    expect(hash).toBe('');
    const session = await doors.session(browser);
    expect(session).toMatchObject({ role: 'admin', byCompany: true });
    expect(session.user.id).toBe(person.userId);
    const mail = await smtp.mailTo(person.email);
    expect(mail.headers).toContain('joined the sign-in');
    // From now on it opens by the subject alone, on a new device with a notice.
    const again = await comes(real, claims(person.email));
    expect(again.hash).toBe('');
    expect((await doors.session(again.browser)).user.id).toBe(person.userId);
    const ofDevices = () =>
      mailsTo(person.email).filter((mail) => mail.text.includes('new device'));
    await until('the notice of the new device', () => ofDevices().length === 1);
    // Known by then, and no device for sign-ins by password.
    expect(await doors.walk(again.browser, real.slug)).toBe('');
    const names = [...again.browser.cookiesFor(url).keys()];
    expect([names.includes('company_device'), names.includes('known_device')]).toEqual([
      true,
      false,
    ]);
    expect(ofDevices()).toHaveLength(1);
  });

  test('does not join for an address of somebody else, nor by another browser or session', async () => {
    const person = await createTestPerson(service);
    const thief = await createTestPerson(service);
    const stolen = await joins(real, claims(person.email), thief);
    expect(stolen.hash).toBe('#refused=other_address');
    const byCompany = await comes(bad, claims(person.email));
    expect(await doors.join(byCompany.browser, real.slug)).toBe(403);
    // Begun in one session, ended in that of another person.
    real.issuer.state.says = claims(person.email);
    const browser = doors.hold(newBrowser(), await signInAs(service, person));
    const started = await browser.step(`${url}/v1/auth/oidc/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ organization: real.slug }),
    });
    const { location }: { location: string } = JSON.parse(await started.text());
    doors.hold(browser, await signInAs(service, thief));
    const at = await browser.go(location, (to) => to.startsWith(url) && !to.includes('/v1/'));
    expect(at).toEndWith('/account#refused=too_late');
    expect(await membersOf(real)).not.toContain(person.userId);
  });

  test('a page of others moves nobody out of a session into its organization', async () => {
    const person = await createTestPerson(service);
    evil.state.says = claims('decoy@example.com');
    const browser = doors.hold(newBrowser(), await signInAs(service, person));
    expect(await doors.follow(browser, bad.slug, 'cross-site')).toBe('#refused=signed_in');
    expect(await doors.walk(browser, bad.slug)).toBe('#refused=signed_in');
    expect((await doors.session(browser)).user.email).toBe(person.email);
    const { browser: atWork } = await comes(real, claims('at-work@example.com'));
    expect(await doors.follow(atWork, bad.slug, 'cross-site')).toBe('#refused=signed_in');
    expect((await doors.session(atWork)).activeOrganizationId).toBe(real.orgId);
    expect(await doors.follow(atWork, real.slug, 'cross-site')).toBe('');
    // By the button of the console, and where nobody is signed in.
    expect(await doors.follow(browser, bad.slug, 'same-origin')).toBe('');
    expect((await doors.session(browser)).activeOrganizationId).toBe(bad.orgId);
    expect(await doors.follow(newBrowser(), bad.slug, 'cross-site')).toBe('');
  });

  test('who left is made no member again by the issuer, nor are they replaced', async () => {
    const person = await createTestPerson(service);
    const { hash } = await joins(bad, claims(person.email), person);
    expect(hash).toBe('');
    const body = { organizationId: bad.orgId };
    expect((await asked(person, '/v1/auth/organization/leave', body)).status).toBe(200);
    const before = await membersOf(bad);
    expect((await comes(bad, claims(person.email))).hash).toBe('#refused=join_first');
    expect(await membersOf(bad)).toEqual(before);
    const other = { ...claims(person.email), sub: 'another subject' };
    const { browser } = await comes(bad, other);
    expect((await doors.session(browser))?.user.id).not.toBe(person.userId);
    expect(await membersOf(bad)).not.toContain(person.userId);
  });

  test('whom an owner removed does not come back under another subject', async () => {
    const person = await createTestMember(service, real, 'member');
    const [{ id: memberId = '' } = {}] = await sql<{ id: string }[]>`SELECT id FROM auth.member
      WHERE "userId" = ${person.userId} AND "organizationId" = ${real.orgId}`;
    const removed = await service.call('/v1/auth/organization/remove-member', {
      body: { memberId },
      headers: real.owner,
    });
    expect(removed.status).toBe(200);
    expect((await comes(real, claims(person.email))).hash).toBe('#refused=removed');
    expect((await joins(real, claims(person.email), person)).hash).toBe('#refused=removed');
    // Nor by erasing the account that was removed, until somebody invites them again.
    const erased = { email: person.email, currentPassword: person.password };
    expect((await asked(person, '/v1/auth/erase-account', erased)).status).toBe(200);
    expect((await comes(real, claims(person.email))).hash).toBe('#refused=removed');
    const invitation = { email: person.email, role: 'viewer' };
    const invited = await service.call('/v1/auth/organization/invite-member', {
      body: invitation,
      headers: real.owner,
    });
    expect(invited.status).toBe(200);
    expect((await comes(real, claims(person.email))).hash).toBe('');
  });

  test('an invitation of before does not bring back whom an owner removed', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const { browser } = await comes(real, claims(email));
    const session = await doors.session(browser);
    const user = session!.user;
    const invited = await service.call('/v1/auth/organization/invite-member', {
      body: { email, role: 'admin' },
      headers: real.owner,
    });
    expect(invited.status).toBe(200);
    const [{ id: memberId = '' } = {}] = await sql<{ id: string }[]>`
      SELECT id FROM auth.member WHERE "userId" = ${user.id} AND "organizationId" = ${real.orgId}`;
    const removed = await service.call('/v1/auth/organization/remove-member', {
      body: { memberId },
      headers: real.owner,
    });
    expect(removed.status).toBe(200);
    expect((await comes(real, claims(email))).hash).toBe('#refused=removed');
  });

  test('takes the place of the one that the issuer made, with its keys', async () => {
    const person = await createTestPerson(service);
    const { browser } = await comes(real, claims(person.email, { groups: ['boss'] }));
    const made = await post(browser, '/v1/organization/keys', {
      name: 'Of the first',
      permissions: ['app:read'],
    });
    expect(made.status).toBe(201);
    const former = (await doors.session(browser)).user.id;
    const { hash } = await joins(real, claims(person.email), person);
    expect(hash).toBe('');
    const members = await membersOf(real);
    expect([members.includes(former), members.includes(person.userId)]).toEqual([false, true]);
    const [key] =
      await sql`SELECT created_by AS maker FROM auth.apikey WHERE name = 'Of the first'`;
    expect(key).toEqual({ maker: person.userId });
    expect(await doors.session(browser)).toBeNull();
  });
});

test('an account of the issuer leaves, comes back, and ends with its organization', async () => {
  const own = await company(good);
  const says = claims(`${crypto.randomUUID()}@example.com`);
  const { browser } = await comes(own, says);
  const { user } = await doors.session(browser);
  const leave = (organizationId: string) =>
    post(browser, '/v1/auth/organization/leave', { organizationId });
  expect((await leave(bad.orgId)).status).toBe(404);
  expect((await leave(own.orgId)).status).toBe(200);
  expect(await doors.session(browser)).toBeNull();
  expect(await membersOf(own)).not.toContain(user.id);
  const back = await comes(own, { ...says, name: 'Another name' });
  expect((await doors.session(back.browser)).user).toMatchObject({
    id: user.id,
    name: 'Another name',
  });
  await sql`DELETE FROM auth.organization WHERE id = ${own.orgId}`;
  expect(await sql`SELECT 1 FROM auth."user" WHERE id = ${user.id}`).toHaveLength(0);
});

test('invitations by a company’s session name nobody and use up nobody’s number', async () => {
  const person = await createTestPerson(service);
  const { browser } = await joins(bad, claims(person.email, { groups: ['boss'] }), person);
  const email = `${crypto.randomUUID()}@example.com`;
  const invited = await post(browser, '/v1/auth/organization/invite-member', {
    email,
    role: 'viewer',
  });
  expect(invited.status).toBe(200);
  const mail = await smtp.mailTo(email);
  expect(mail.text).not.toContain(person.email);
  expect(identity.mailer).not.toBeNull();
});
