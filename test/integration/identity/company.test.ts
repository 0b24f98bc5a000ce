import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { SignJWT, importJWK } from 'jose';
import { refreshCompanySignIns } from '../../../src/modules/identity/company/refresh.ts';
import { startSmtpSimulator } from '../../simulators/smtp/server.ts';
import { CLIENT_SECRET as SECRET, companyDoors } from '../../support/company.ts';
import { startListening } from '../../support/listening.ts';
import { type Browser, type Claims, newBrowser, startIssuer } from '../../support/oidc-issuer.ts';
import { createTestMember, signInAs } from '../../support/people.ts';
import { createTestOrg } from '../../support/service.ts';

const one = await startIssuer('one');
const other = await startIssuer('other');
const smtp = startSmtpSimulator();
afterAll(smtp.stop);
const { service, url } = await startListening({
  SMTP_URL: smtp.url,
  MAIL_FROM: 'service@example.com',
  EGRESS_ALLOW: `127.0.0.1:${one.port},127.0.0.1:${other.port}`,
});
const { sql } = service.deps;
const doors = companyDoors(service, url);
const { clientOf, headersOf, session } = doors;

const org = await createTestOrg(service);
const rival = await createTestOrg(service);
const owner = await createTestMember(service, org, 'owner');
const [{ slug = '' } = {}] = await sql<{ slug: string }[]>`
  SELECT slug FROM auth.organization WHERE id = ${org.orgId}`;
const [{ slug: rivalSlug = '' } = {}] = await sql<{ slug: string }[]>`
  SELECT slug FROM auth.organization WHERE id = ${rival.orgId}`;

const callback = (orgId: string) => `${url}/v1/auth/oidc/callback/${orgId}`;
await one.register([clientOf(org.orgId)]);
await other.register([clientOf(rival.orgId)]);

const settings = {
  issuer: one.issuer,
  clientId: clientOf(org.orgId).client_id,
  clientSecret: SECRET,
  domains: ['company.example'],
  groupsClaim: 'groups',
  roles: [
    { group: 'mobile', role: 'member' },
    { group: 'leads', role: 'admin' },
  ],
  roleWithoutGroup: 'viewer',
  isOnlyWay: false,
};
const set = (body: object, cookie: string = owner.cookie) =>
  service.call('/v1/auth/organization/provider', { method: 'PUT', body, headers: { cookie } });

let people = 0;
/** Somebody new at the issuer, who answers its questions from now on. */
function newcomer(claims: object = {}) {
  people += 1;
  const subject = `person-${people}`;
  const email = `${subject}@company.example`;
  one.state.people.set(subject, { email, groups: ['mobile'], ...claims });
  one.state.signsIn = subject;
  return { subject, email };
}

const start = (short = slug) => `${url}/v1/auth/oidc/start?organization=${short}`;
const isCallback = (at: string) => at.startsWith(`${url}/v1/auth/oidc/callback/`);
/** The whole way; what stands behind the `#`. */
const walk = (browser: Browser, short = slug) => doors.walk(browser, short);
/** A browser in which this person's own account joined. */
async function joined(person: { email: string; password: string }) {
  const browser = doors.hold(newBrowser(), await signInAs(service, person));
  return { browser, hash: await doors.join(browser, slug) };
}
const keysStatus = async (browser: Browser) =>
  (await service.call('/v1/auth/organization/security', { headers: headersOf(browser) })).status;

beforeEach(async () => {
  Object.assign(one.state, { tamper: null, signAs: null, isAway: false, givesRefreshTokens: true });
  expect((await set(settings)).status).toBe(200);
});

describe('setting a provider', () => {
  test('says what is wrong, and shows no secret', async () => {
    const away = await set({ ...settings, issuer: 'https://10.0.0.1' });
    expect([away.status, away.body.error.hint]).toEqual([400, expect.stringContaining('issuer:')]);
    const none = await set({ ...settings, issuer: `${one.issuer}/nothing` });
    expect([none.status, none.body.error.hint]).toEqual([400, expect.stringContaining('404')]);
    const { clientSecret: _, ...without } = settings;
    expect((await set({ ...without, clientId: 'another' })).status).toBe(400);
    expect((await set(without)).status).toBe(200);
    const shown = await service.call('/v1/auth/organization/provider', {
      headers: { cookie: owner.cookie },
    });
    expect(shown.body.redirectUri).toBe(callback(org.orgId));
    expect(shown.text).not.toContain(SECRET);
    const [row] = await sql`SELECT p::text AS kept FROM identity_providers p`;
    expect(row?.kept).not.toContain(SECRET);
    const entries = await sql<{ changes: string }[]>`
      SELECT changes::text AS changes FROM audit_entries
      WHERE operation = 'setSignInProvider' AND org_id = ${org.orgId}`;
    expect(entries.map(({ changes }) => changes).join('')).toContain('company.example');
    expect(JSON.stringify(entries)).not.toContain(SECRET);
  });

  test('is for owners; the only way is set by who came by it', async () => {
    const admin = await createTestMember(service, org, 'admin');
    expect((await set(settings, admin.cookie)).status).toBe(403);
    const locked = await set({ ...settings, isOnlyWay: true });
    expect([locked.status, locked.body.error.code]).toEqual([409, 'conflict']);
  });
});

describe('signing in', () => {
  test('makes account and membership with the role of the groups, for this organization only', async () => {
    const { email } = newcomer({ groups: ['mobile', 'leads'] });
    const browser = newBrowser();
    expect(await walk(browser)).toBe('');
    const now = await session(browser);
    expect(now).toMatchObject({ activeOrganizationId: org.orgId, role: 'admin', byCompany: true });
    expect(now.user.email).toBe(email);
    expect(await sql`SELECT 1 FROM auth."user" WHERE email = ${email}`).toHaveLength(0);
    const made = await service.call('/v1/auth/organization/create', {
      body: { name: 'Mine' },
      headers: headersOf(browser),
    });
    expect([made.status, made.body.error.code]).toEqual([403, 'permission_denied']);
    const [entry] = await sql`
      SELECT operation, changes::text AS changes FROM audit_entries
      WHERE operation = 'finishCompanySignIn' AND org_id = ${org.orgId}
        AND changes::text LIKE ${`%${email}%`}`;
    expect(entry?.changes).toContain('identity_links');
    // Again: the same account, and no entry.
    expect(await walk(newBrowser())).toBe('');
    const [{ count = 0 } = {}] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM audit_entries
      WHERE operation = 'finishCompanySignIn' AND changes::text LIKE ${`%${now.user.id}%`}`;
    expect(count).toBe(1);
  });

  test('opens nothing else of a person who is in several organizations', async () => {
    const person = await createTestMember(service, rival, 'owner');
    await sql`UPDATE auth."user" SET email = replace(email, 'example.com', 'company.example')
      WHERE id = ${person.userId}`;
    const email = person.email.replace('example.com', 'company.example');
    newcomer({ email });
    const { browser, hash } = await joined({ ...person, email });
    expect(hash).toBe('');
    expect((await session(browser)).user.id).toBe(person.userId);
    const list = await service.call('/v1/auth/organization/list', { headers: headersOf(browser) });
    expect(list.body.map(({ id }: { id: string }) => id)).toEqual([org.orgId]);
    const chosen = await service.call('/v1/auth/organization/set-active', {
      body: { organizationId: rival.orgId },
      headers: headersOf(browser),
    });
    expect(chosen.status).toBe(404);
    // Not by the database either.
    await sql`UPDATE auth.session SET "activeOrganizationId" = ${rival.orgId}
      WHERE provider_org_id = ${org.orgId} AND "userId" = ${person.userId}`;
    service.deps.identity.authenticator.forgetUser(person.userId);
    expect(await keysStatus(browser)).toBe(400);
  });

  test('takes no address that is not verified, or of another domain', async () => {
    for (const email_verified of [false, 'false', undefined]) {
      newcomer({ email_verified });
      expect(await walk(newBrowser())).toBe('#refused=address_not_verified');
    }
    newcomer({ email_verified: 'true' });
    expect(await walk(newBrowser())).toBe('');
    newcomer({ email: 'somebody@sub.company.example' });
    expect(await walk(newBrowser())).toBe('#refused=domain_not_allowed');
  });

  test('gives the role of today’s groups, and leaves the last owner one', async () => {
    const { subject } = newcomer({ groups: ['leads'] });
    const browser = newBrowser();
    await walk(browser);
    const person = one.state.people.get(subject);
    if (person) person.groups = ['mobile'];
    await walk(browser);
    expect((await session(browser)).role).toBe('member');
    await set({ ...settings, roleWithoutGroup: null });
    if (person) person.groups = ['canteen'];
    expect(await walk(browser)).toBe('#refused=no_group');
    expect(await session(browser)).toBeNull();
    const email = owner.email.replace('example.com', 'company.example');
    await sql`UPDATE auth."user" SET email = ${email} WHERE id = ${owner.userId}`;
    await sql`UPDATE auth.member SET role = 'admin'
      WHERE "organizationId" = ${org.orgId} AND role = 'owner' AND "userId" <> ${owner.userId}`;
    newcomer({ email, groups: ['mobile'] });
    const { browser: ofOwner, hash } = await joined({ ...owner, email });
    expect(hash).toBe('');
    expect((await session(ofOwner)).role).toBe('owner');
  });

  test('makes one account of a person who comes twice at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { email } = newcomer();
      const browsers = [newBrowser(), newBrowser(), newBrowser()];
      const ways = await Promise.all(browsers.map((browser) => walk(browser)));
      expect(ways).toEqual(['', '', '']);
      expect(await sql`SELECT 1 FROM auth."user" WHERE company_email = ${email}`).toHaveLength(1);
      for (const browser of browsers) expect(await keysStatus(browser)).toBe(200);
    }
  });

  test('goes on after the issuer’s keys were changed', async () => {
    newcomer();
    expect(await walk(newBrowser())).toBe('');
    await one.rotateKeys();
    expect(await walk(newBrowser())).toBe('');
  });

  test('says that the provider is away, or unknown', async () => {
    expect(await walk(newBrowser(), 'nobody-here')).toBe('#refused=no_provider');
    one.state.isAway = true;
    expect(await walk(newBrowser())).toBe('#refused=provider_away');
  });
});

describe('nobody is let in by', () => {
  const tampered: [string, (claims: Claims) => Claims][] = [
    ['another audience', (claims) => ({ ...claims, aud: 'somebody-else' })],
    ['another nonce', (claims) => ({ ...claims, nonce: 'of another sign-in' })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
    ['another issuer', (claims) => ({ ...claims, iss: other.issuer })],
    ['another authorized party', (claims) => ({ ...claims, azp: 'somebody-else' })],
    ['several audiences without one', (claims) => ({ ...claims, aud: [claims.aud, 'x'] })],
    ['a token that has ended', (claims) => ({ ...claims, exp: Number(claims.iat) - 60 })],
  ];
  test.each(tampered)('a token of %s', async (_, tamper) => {
    newcomer();
    one.state.tamper = tamper;
    const browser = newBrowser();
    expect(await walk(browser)).toBe('#refused=answer_not_valid');
    expect(await session(browser)).toBeNull();
  });

  test('a token that another key signed', async () => {
    newcomer();
    one.state.signAs = await one.newKey();
    expect(await walk(newBrowser())).toBe('#refused=answer_not_valid');
  });

  test('a clock that is half a minute off, but a minute', async () => {
    newcomer();
    const now = Math.floor(Date.now() / 1_000);
    one.state.tamper = (claims) => ({ ...claims, exp: now - 20 });
    expect(await walk(newBrowser())).toBe('');
    one.state.tamper = (claims) => ({ ...claims, exp: now - 60 });
    expect(await walk(newBrowser())).toBe('#refused=answer_not_valid');
  });

  test('an answer that was given already, or to another browser', async () => {
    newcomer();
    const browser = newBrowser();
    const at = await browser.go(start(), isCallback);
    const cookie = browser.cookieHeader(url);
    const elsewhere = await newBrowser().step(at);
    expect(elsewhere.headers.get('location')).toEndWith('#refused=too_late');
    const [done, again] = [await browser.step(at), await browser.step(at)];
    expect(done.headers.get('location')).toBe(`${url}/`);
    expect(again.headers.get('location')).toEndWith('#refused=too_late');
    const replayed = await fetch(at, { headers: { cookie }, redirect: 'manual' });
    expect(replayed.headers.get('location')).toEndWith('#refused=answer_not_valid');
    expect(replayed.headers.getSetCookie().join()).not.toContain('session_token');
  });

  test('an answer to another organization, or of another issuer', async () => {
    newcomer();
    const browser = newBrowser();
    const at = new URL(await browser.go(start(), isCallback));
    const moved = `${callback(rival.orgId)}${at.search}`;
    const kept = browser.cookieHeader(url);
    const mixed = await fetch(moved, { headers: { cookie: kept }, redirect: 'manual' });
    expect(mixed.headers.get('location')).toEndWith('#refused=too_late');
    at.searchParams.set('iss', other.issuer);
    const named = await fetch(at.href, { headers: { cookie: kept }, redirect: 'manual' });
    expect(named.headers.get('location')).toEndWith('#refused=answer_not_valid');
    at.searchParams.set('iss', one.issuer);
    at.searchParams.set('state', 'guessed');
    const guessed = await fetch(at.href, { headers: { cookie: kept }, redirect: 'manual' });
    expect(guessed.headers.get('location')).toEndWith('#refused=answer_not_valid');
  });

  test('an issuer that gives no refresh token: nobody would learn of a removal', async () => {
    const { email } = newcomer();
    one.state.givesRefreshTokens = false;
    const browser = newBrowser();
    expect(await walk(browser)).toBe('#refused=no_refresh_token');
    expect(await session(browser)).toBeNull();
    expect(await sql`SELECT 1 FROM auth."user" WHERE company_email = ${email}`).toHaveLength(0);
  });

  test('a refusal of the issuer', async () => {
    newcomer();
    const browser = newBrowser();
    const at = new URL(await browser.go(start(), isCallback));
    const state = at.searchParams.get('state') ?? '';
    const search = new URLSearchParams({ error: 'access_denied', state, iss: one.issuer });
    const answer = await browser.step(`${callback(org.orgId)}?${search}`);
    expect(answer.headers.get('location')).toEndWith('#refused=provider_refused');
  });
});

describe('what the issuer says later', () => {
  const due = () => sql`UPDATE identity_links SET tried_at = now() - interval '5 minutes'`;
  const refresh = async () => {
    await due();
    await refreshCompanySignIns(service.deps);
  };

  test('keeps access while the person belongs to it, by tokens that nobody can read', async () => {
    newcomer();
    const browser = newBrowser();
    await walk(browser);
    for (const _ of [1, 2]) await refresh();
    expect(await keysStatus(browser)).toBe(200);
    const links = await sql`SELECT sealed_refresh_token AS token FROM identity_links`;
    expect(links.some(({ token }) => String(token).startsWith('v1.'))).toBe(true);
  });

  test('ends sessions and membership of who was removed, and not of the others', async () => {
    const { subject } = newcomer();
    const browser = newBrowser();
    await walk(browser);
    const stays = newcomer();
    const othersBrowser = newBrowser();
    await walk(othersBrowser);
    expect(stays.subject).not.toBe(subject);
    const { user } = await session(browser);
    await sql`UPDATE auth."user" SET "emailVerified" = true WHERE id = ${owner.userId}`;
    await sql`UPDATE auth.apikey SET created_by = ${user.id} WHERE "referenceId" = ${org.orgId}`;
    const person = one.state.people.get(subject);
    if (person) person.isGone = true;
    await refresh();
    expect(await session(browser)).toBeNull();
    expect(await keysStatus(browser)).toBe(401);
    expect(await keysStatus(othersBrowser)).toBe(200);
    const members = await sql`SELECT 1 FROM auth.member
      WHERE "userId" = ${user.id} AND "organizationId" = ${org.orgId}`;
    expect(members).toHaveLength(0);
    const mail = await smtp.mailTo(owner.email.replace('example.com', 'company.example'));
    expect(mail.headers).toContain('has ended');
    expect(mail.text).toContain(`${subject}@company.example`);
    expect(mail.text).toContain('- ');
    const [entry] = await sql`SELECT changes::text AS changes FROM audit_entries
      WHERE operation = 'refreshCompanySignIn' AND changes::text LIKE ${`%${user.id}%`}`;
    expect(entry?.changes).toContain('member');
  });

  const memberRole = async (userId: string) => {
    const [row] = await sql<{ role: string }[]>`SELECT role FROM auth.member
      WHERE "userId" = ${userId} AND "organizationId" = ${org.orgId}`;
    return row?.role ?? null;
  };

  test('brings nobody back who left, or whom an owner removed', async () => {
    const leaver = newcomer();
    const browser = newBrowser();
    await walk(browser);
    const { user } = await session(browser);
    await sql`DELETE FROM auth.member WHERE "userId" = ${user.id}`;
    expect(await session(browser)).toBeNull();
    await refresh();
    expect(await memberRole(user.id)).toBeNull();
    const [link] = await sql`SELECT sealed_refresh_token, ended_at FROM identity_links
      WHERE subject = ${leaver.subject}`;
    expect(link?.sealed_refresh_token).toBeNull();
    // Who left comes back by signing in.
    expect(await walk(newBrowser())).toBe('');
    expect(await memberRole(user.id)).toBe('member');

    const members = await service.call('/v1/auth/organization/list-members', { headers: owner });
    const list = Array.isArray(members.body) ? members.body : members.body.members;
    const memberId = list.find((one: { userId: string }) => one.userId === user.id).id;
    const removed = await service.call('/v1/auth/organization/remove-member', {
      ...{ body: { memberId }, headers: { cookie: owner.cookie } },
    });
    expect(removed.status).toBe(200);
    await refresh();
    expect(await memberRole(user.id)).toBeNull();
    // Whom an owner removed comes back by an invitation only.
    expect(await walk(newBrowser())).toBe('#refused=removed');
    const invited = await service.call('/v1/auth/organization/invite-member', {
      ...{ body: { email: leaver.email, role: 'viewer' }, headers: { cookie: owner.cookie } },
    });
    expect(invited.status).toBeLessThan(300);
    expect(await walk(newBrowser())).toBe('');
    expect(await memberRole(user.id)).toBe('member');
  });

  test('asks userinfo for groups that the ID token leaves out, and believes no other subject', async () => {
    const { subject } = newcomer({ groups: ['leads'] });
    const browser = newBrowser();
    await walk(browser);
    const { user } = await session(browser);
    expect(await memberRole(user.id)).toBe('admin');
    one.state.tamper = ({ groups: _, ...claims }: Claims) => claims;
    const person = one.state.people.get(subject);
    if (person) person.groups = [];
    await refresh();
    expect(await memberRole(user.id)).toBe('viewer');
    if (person) person.groups = ['leads'];
    await refresh();
    expect(await memberRole(user.id)).toBe('admin');
    one.state.tamper = (claims: Claims) => ({ ...claims, sub: 'somebody-else' });
    await refresh();
    expect(await memberRole(user.id)).toBeNull();
    expect(await keysStatus(browser)).toBe(401);
  });

  test('changes roles, and is waited for an hour when it is away', async () => {
    const { subject } = newcomer({ groups: ['leads'] });
    const browser = newBrowser();
    await walk(browser);
    const person = one.state.people.get(subject);
    if (person) person.groups = ['mobile'];
    await refresh();
    expect((await session(browser)).role).toBe('member');
    one.state.isAway = true;
    await refresh();
    expect(await keysStatus(browser)).toBe(200);
    await sql`UPDATE identity_links SET checked_at = now() - interval '61 minutes'
      WHERE subject = ${subject}`;
    service.deps.identity.authenticator.forgetOrganization(org.orgId);
    expect(await keysStatus(browser)).toBe(403);
    expect(await session(browser)).toMatchObject({ needsCompany: true });
    one.state.isAway = false;
    await refresh();
    service.deps.identity.authenticator.forgetOrganization(org.orgId);
    expect(await keysStatus(browser)).toBe(200);
  });

  test('signs out here who signs out there', async () => {
    newcomer();
    const browser = newBrowser();
    await walk(browser);
    expect(await keysStatus(browser)).toBe(200);
    const page = await (await browser.step(`${one.issuer}/session/end`)).text();
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    await browser.step(`${one.issuer}/session/end/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    });
    expect(await session(browser)).toBeNull();
    expect(await keysStatus(browser)).toBe(401);
  });

  test('signs nobody out by a token that is not the issuer’s', async () => {
    const { subject } = newcomer();
    const browser = newBrowser();
    await walk(browser);
    const key = await importJWK(await one.newKey(), 'RS256');
    const token = (claims: object) =>
      new SignJWT({
        iss: one.issuer,
        aud: settings.clientId,
        sub: subject,
        jti: crypto.randomUUID(),
        iat: Math.floor(Date.now() / 1_000),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      })
        .setProtectedHeader({ alg: 'RS256' })
        .sign(key);
    const send = async (logoutToken: string) =>
      service.call(`/v1/auth/oidc/backchannel-logout/${org.orgId}`, {
        rawBody: new URLSearchParams({ logout_token: logoutToken }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    for (const forged of [await token({}), await token({ iss: other.issuer }), 'none']) {
      const answer = await send(forged);
      expect([answer.status, answer.body.error.code]).toEqual([401, 'invalid_signature']);
    }
    const unsigned = (await token({})).replace(/^[^.]+/, btoa('{"alg":"none"}'));
    one.state.asked = [];
    for (const forged of [unsigned, await token({}), await token({})]) {
      expect((await send(forged)).status).toBe(401);
    }
    // Discovery and keys were looked at a moment ago.
    expect(one.state.asked).toEqual([]);
    expect(await keysStatus(browser)).toBe(200);
  });
});

test('the only way closes sessions by password, until the operator turns it off', async () => {
  const email = owner.email.replace('example.com', 'company.example');
  const [{ subject = '' } = {}] = await sql<{ subject: string }[]>`
    SELECT subject FROM identity_links WHERE user_id = ${owner.userId}`;
  one.state.signsIn = subject;
  const browser = newBrowser();
  expect(await walk(browser)).toBe('');
  expect((await session(browser)).user.email).toBe(email);
  const only = { ...settings, isOnlyWay: true };
  expect((await set(only, browser.cookieHeader(url))).status).toBe(200);
  const byPassword = await signInAs(service, { email, password: owner.password });
  const asked = { headers: { ...byPassword } };
  const closed = await service.call('/v1/auth/organization/security', asked);
  expect([closed.status, closed.body.error.code]).toEqual([403, 'permission_denied']);
  expect(await keysStatus(browser)).toBe(200);
  const { turnProviderOff } = await import('../../../src/modules/identity/index.ts');
  expect(await turnProviderOff({ deps: service.deps, requestId: 'x' }, { orgId: org.orgId })).toBe(
    true,
  );
  expect(await session(browser)).toBeNull();
  const opened = await service.call('/v1/auth/organization/security', asked);
  expect(opened.status).toBe(200);
  expect(rivalSlug).not.toBe(slug);
});
