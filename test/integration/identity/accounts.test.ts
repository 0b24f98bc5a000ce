import { describe, expect, test } from 'bun:test';
import { scryptSync } from 'node:crypto';
import { firstAccountCode } from '../../../src/modules/identity/accounts/first-account.ts';
import { reconcileAccounts } from '../../../src/modules/identity/index.ts';
import { cookieOf, createTestPerson, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService, type TestService } from '../../support/service.ts';

const database = await testDatabase();
const service = await startTestService(database, { env: { SIGN_UP: 'invite' } });
const openService = await startTestService(database, { env: { SIGN_UP: 'open' } });
const closedService = await startTestService(database, { env: { SIGN_UP: 'closed' } });

const PASSWORD = 'correct horse battery';
const newEmail = () => `${crypto.randomUUID()}@example.com`;
const signUp = (on: TestService, body: object) =>
  on.call('/v1/auth/sign-up/email', {
    body: { ...body, firstAccountCode: firstAccountCode(on.deps.config) },
  });
type Credentials = { email: string; password: string; rememberMe?: boolean };
const signIn = ({ email, password, rememberMe }: Credentials, headers = {}) =>
  service.call('/v1/auth/sign-in/email', { body: { email, password, rememberMe }, headers });
const session = async (headers: Record<string, string>) =>
  (await service.call('/v1/auth/get-session', { headers })).body;

describe('sign-up', () => {
  test('the first account can always be made, once, however many try at once', async () => {
    const bodies = [1, 2, 3, 4].map(() => ({
      name: 'First',
      email: newEmail(),
      password: PASSWORD,
    }));
    const answers = await Promise.all(bodies.map((body) => signUp(closedService, body)));
    const made = answers.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect([403, 409]).toContain(answer.status);
    }
    expect(made[0]!.body.user.email).toBeOneOf(bodies.map(({ email }) => email));
    expect(await session(cookieOf(made[0]!.headers))).toMatchObject({
      activeOrganizationId: null,
      role: null,
    });
  });

  test('after it, closed is closed and invite needs an invitation', async () => {
    for (const on of [service, closedService]) {
      const body = { name: 'Late', email: newEmail(), password: PASSWORD };
      const answer = await signUp(on, body);
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  test('open takes anybody, with a cookie that scripts cannot read', async () => {
    const answer = await signUp(openService, { name: 'A', email: newEmail(), password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('token');
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^better-auth\.session_token=/);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
  });

  test('an address has one account, whatever the case of its letters', async () => {
    const email = newEmail();
    const body = { name: 'A', email, password: PASSWORD };
    await signUp(openService, body);
    const again = await signUp(openService, { ...body, email: email.toUpperCase() });
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  });

  test('counts the characters of a password, not their encoding', async () => {
    const password = `${'🦊🐻🐼🐨🐯'.repeat(25)}🦊🐻🐼`;
    const email = newEmail();
    expect((await signUp(openService, { name: 'A', email, password })).status).toBe(200);
    expect((await signIn({ email, password })).status).toBe(200);
    expect((await signIn({ email, password: password.slice(2) })).status).toBe(401);
  });

  test.each([
    [{ password: 'short' }, 'password'],
    [{ password: 'x'.repeat(129) }, 'password'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@b' }, 'email'],
    [{ name: '' }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
  ])('refuses %p', async (wrong, field) => {
    const body = { name: 'A', email: newEmail(), password: PASSWORD, ...wrong };
    const answer = await signUp(openService, body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
    expect(answer.body.error.hint).toStartWith(`${field}:`);
  });
});

describe('sign-in', () => {
  test('starts a session in the organization the person belongs to', async () => {
    const org = await createTestOrg(service);
    const answer = await signIn({ email: org.email.toUpperCase(), password: org.password });
    expect(answer.status).toBe(200);
    expect(await session(cookieOf(answer.headers))).toMatchObject({
      user: { id: org.userId, email: org.email },
      activeOrganizationId: org.orgId,
      role: 'owner',
    });
  });

  test('says the same for a wrong address and a wrong password', async () => {
    const person = await createTestPerson(service);
    const wrong = await signIn({ email: person.email, password: 'wrong password' });
    const unknown = await signIn({ email: newEmail(), password: 'wrong password' });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toBe(unknown.text);
    expect(wrong.body.error.code).toBe('not_signed_in');
  });

  test('counts wrong attempts', async () => {
    const strict = await startTestService(database, { env: { RATE_LIMIT_SCALE: '1' } });
    const person = await createTestPerson(strict);
    const attempt = () =>
      strict.call('/v1/auth/sign-in/email', {
        body: { email: person.email, password: 'wrong password' },
      });
    const statuses = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await attempt()).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const limited = await attempt();
    expect(limited.body.error.code).toBe('rate_limited');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('refuses pages of other sites, and takes the service itself and no origin', async () => {
    const person = await createTestPerson(service);
    const foreign = await signIn(person, { origin: 'https://evil.example' });
    expect(foreign).toMatchObject({ status: 403, body: { error: { code: 'origin_not_allowed' } } });
    expect((await signIn(person, { origin: 'http://127.0.0.1:3000' })).status).toBe(200);
    expect((await signIn(person)).status).toBe(200);
  });

  test('a session that is not to be remembered has a cookie without an age', async () => {
    const person = await createTestPerson(service);
    const answer = await signIn({ ...person, rememberMe: false });
    expect(answer.headers.getSetCookie()[0]).not.toContain('Max-Age');
  });
});

describe('known passwords', () => {
  test('are refused wherever one is set, under the name of the field', async () => {
    const email = newEmail();
    const body = { name: 'Ada Lovelace', email, password: 'password2026' };
    const made = await signUp(openService, body);
    expect(made).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
    expect(made.body.error.hint).toStartWith('password: ');
    expect((await signUp(openService, { ...body, password: email })).status).toBe(400);
    const org = await createTestOrg(service);
    const headers = await signInAs(service, org);
    const change = { currentPassword: org.password, newPassword: 'qwertyuiop12' };
    const path = '/v1/auth/change-password';
    const changed = await service.call(path, { body: change, headers });
    expect(changed.status).toBe(400);
    expect(changed.body.error.hint).toStartWith('newPassword: ');
    expect((await signIn(org)).status).toBe(200);
  });
});

describe('a session', () => {
  test('ends 30 days after its sign-in, however often it was prolonged', async () => {
    const org = await createTestOrg(service);
    const headers = await signInAs(service, org);
    const signedInAgo = (days: number) => database.sql`
      UPDATE auth.session SET "createdAt" = now() - ${days} * interval '1 day'
      WHERE "userId" = ${org.userId}`;
    await signedInAgo(29);
    expect(await session(headers)).not.toBeNull();
    expect((await service.call('/v1/apps', { headers })).status).toBe(200);
    await signedInAgo(31);
    service.deps.identity.authenticator.forgetUser(org.userId);
    expect(await session(headers)).toBeNull();
    expect((await service.call('/v1/apps', { headers })).status).toBe(401);
  });

  test('ends with sign-out, at once in this process', async () => {
    const org = await createTestOrg(service);
    const headers = await signInAs(service, org);
    expect((await service.call('/v1/apps', { headers })).status).toBe(200);
    const out = await service.call('/v1/auth/sign-out', { method: 'POST', headers });
    expect(out).toMatchObject({ status: 200, body: { success: true } });
    expect(out.headers.getSetCookie().join()).toContain('Max-Age=0');
    expect(await session(headers)).toBeNull();
    expect((await service.call('/v1/apps', { headers })).status).toBe(401);
  });

  test('counts only with its whole, unaltered cookie', async () => {
    const org = await createTestOrg(service);
    const { cookie } = await signInAs(service, org);
    const [name = '', value = ''] = cookie.split('=');
    const token = decodeURIComponent(value).split('.')[0];
    for (const forged of [
      `${name}=${token}`,
      `${cookie}x`,
      `${name}=`,
      `${name}=${'x'.repeat(600)}`,
    ]) {
      expect((await service.call('/v1/apps', { headers: { cookie: forged } })).status).toBe(401);
    }
    const among = `theme=dark; ${cookie}; other=1`;
    expect((await service.call('/v1/apps', { headers: { cookie: among } })).status).toBe(200);
  });

  test('that ended a month ago is removed, and no other', async () => {
    const org = await createTestOrg(service);
    await Promise.all([signInAs(service, org), signInAs(service, org), signInAs(service, org)]);
    const rows = await database.sql<{ id: string }[]>`
      SELECT id FROM auth.session WHERE "userId" = ${org.userId} ORDER BY id`;
    for (const [index, days] of [31, 29, -1].entries()) {
      await database.sql`
        UPDATE auth.session SET "expiresAt" = now() - ${days} * interval '1 day'
        WHERE id = ${rows[index]?.id ?? ''}`;
    }
    await reconcileAccounts(service.deps);
    const left = await database.sql<{ id: string }[]>`
      SELECT id FROM auth.session WHERE "userId" = ${org.userId} ORDER BY id`;
    expect([...left]).toEqual([...rows.slice(1)]);
  });

  test('sign-out and get-session answer without one', async () => {
    expect(await session({})).toBeNull();
    expect((await service.call('/v1/auth/sign-out', { method: 'POST' })).status).toBe(200);
  });
});

describe('passwords', () => {
  test('changing one ends the other sessions and keeps this one', async () => {
    const org = await createTestOrg(service);
    const [mine, other] = await Promise.all([signInAs(service, org), signInAs(service, org)]);
    const body = { currentPassword: org.password, newPassword: 'another password' };
    const changed = await service.call('/v1/auth/change-password', { body, headers: mine });
    expect(changed.status).toBe(200);
    expect(await session(other)).toBeNull();
    expect(await session(cookieOf(changed.headers))).not.toBeNull();
    expect((await signIn(org)).status).toBe(401);
    expect((await signIn({ email: org.email, password: 'another password' })).status).toBe(200);
  });

  test('changing one needs the current one', async () => {
    const org = await createTestOrg(service);
    const headers = await signInAs(service, org);
    const body = { currentPassword: 'not this one', newPassword: 'another password' };
    const answer = await service.call('/v1/auth/change-password', { body, headers });
    expect(answer.status).toBe(400);
    expect(answer.body.error.hint).toStartWith('currentPassword:');
  });

  test('other sessions can be ended', async () => {
    const org = await createTestOrg(service);
    const [mine, other] = await Promise.all([signInAs(service, org), signInAs(service, org)]);
    const path = '/v1/auth/revoke-other-sessions';
    expect((await service.call(path, { method: 'POST', headers: mine })).status).toBe(200);
    expect(await session(other)).toBeNull();
    expect(await session(mine)).not.toBeNull();
  });
});

describe('sessions', () => {
  test('are listed without their secrets, and ended one by one', async () => {
    const org = await createTestOrg(service);
    const [mine, other] = await Promise.all([signInAs(service, org), signInAs(service, org)]);
    const path = '/v1/auth/sessions';
    const listed = await service.call(path, { headers: mine });
    expect(listed.status).toBe(200);
    expect(listed.body).toHaveLength(2);
    expect(listed.text).not.toContain('token');
    const one = listed.body.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    const body = { sessionId: one.id };
    const revoke = (headers: { cookie: string }) =>
      service.call('/v1/auth/revoke-session', { body, headers });
    expect((await revoke(mine)).status).toBe(200);
    expect((await service.call(path, { headers: other })).status).toBe(401);
    expect((await revoke(mine)).status).toBe(200);
    const left = await service.call(path, { headers: mine });
    expect(left.body.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([true]);
  });

  test('of somebody else are neither listed nor ended', async () => {
    const [one, other] = [await createTestOrg(service), await createTestOrg(service)];
    const [mine, theirs] = [await signInAs(service, one), await signInAs(service, other)];
    const listed = await service.call('/v1/auth/sessions', { headers: theirs });
    const body = { sessionId: listed.body[0].id };
    await service.call('/v1/auth/revoke-session', { body, headers: mine });
    expect(await session(theirs)).not.toBeNull();
  });
});

describe('password reset', () => {
  test('without a mail server the operator does it', async () => {
    const body = { email: newEmail() };
    const answer = await service.call('/v1/auth/request-password-reset', { body });
    expect(answer).toMatchObject({
      status: 503,
      body: { error: { code: 'provider_not_configured' } },
    });
  });

  test('refuses a secret that is none', async () => {
    const body = { token: 'nothing', newPassword: 'another password' };
    const answer = await service.call('/v1/auth/reset-password', { body });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
  });
});

describe('better-auth itself', () => {
  let signedIn: Promise<{ cookie: string }> | undefined;
  const owner = () => {
    signedIn ??= createTestOrg(service).then((org) => signInAs(service, org));
    return signedIn;
  };

  test.each([
    'GET /v1/auth/ok',
    'GET /v1/auth/error',
    'GET /v1/auth/list-sessions',
    'POST /v1/auth/delete-user',
    'POST /v1/auth/update-user',
    'POST /v1/auth/change-email',
    'POST /v1/auth/sign-in/social',
    'POST /v1/auth/api-key/create',
    'GET /v1/auth/api-key/list',
    'POST /v1/auth/api-key/verify',
    'POST /v1/auth/organization/delete',
    'GET /v1/auth/organization/get-full-organization',
    'POST /v1/auth/organization/add-member',
    'POST /v1/auth/organization/create-role',
    'POST /v1/auth/organization/has-permission',
    'POST /v1/auth/organization/check-slug',
    'GET /v1/auth',
    'GET /v1/auth/no-such-thing',
  ])('%s is not there, and looks like what never was', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const headers = await owner();
    const answer = await service.call(path, { method, headers });
    const nothing = await service.call('/v1/no-such-thing', { method, headers });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect(answer.text).toBe(nothing.text);
  });
});

describe('a password', () => {
  test('is kept as scrypt of 32 MB, each with a salt of its own', async () => {
    const real = await startTestService(database, {
      env: { SIGN_UP: 'open' },
      realPasswords: true,
    });
    const people = [await createTestPerson(real), await createTestPerson(real)];
    const kept = await database.sql<{ password: string }[]>`
      SELECT password FROM auth.account WHERE "userId" IN ${database.sql(people.map(({ userId }) => userId))}`;
    const salts = kept.map(({ password }) => {
      const [salt = '', key] = password.split(':');
      const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1_048_576 };
      expect(scryptSync(people[0]!.password, salt, 64, cost).toString('hex')).toBe(key!);
      return salt;
    });
    expect(new Set(salts).size).toBe(2);
  });
});
