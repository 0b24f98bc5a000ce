import { describe, expect, test } from 'bun:test';
import { setPassword, takeAwaySecondFactor } from '../../../src/modules/identity/index.ts';
import { cookieOf, createTestMember, createTestPerson } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';
import { codeNow, codeOf, fromBase32 } from '../../support/totp.ts';
import { until } from '../../support/until.ts';

const service = await startTestService(await testDatabase());
const { sql } = service.deps;

type Credentials = { email: string; password: string };
type Cookies = { cookie: string };

const post = (path: string, body: unknown, headers: object = {}) =>
  service.call(`/v1/auth/${path}`, { body, headers: { ...headers } });

const signInAgain = ({ email, password }: Credentials) =>
  post('sign-in/email', { email, password });

async function signIn(person: Credentials): Promise<Cookies> {
  const answer = await signInAgain(person);
  expect(answer.status).toBe(200);
  return cookieOf(answer.headers);
}

/** Turned on by the code of the last half minute, so that those of this and the next are left. */
async function withFactor(person: Credentials) {
  const signedIn = await signIn(person);
  const made = await post('second-factor', { currentPassword: person.password }, signedIn);
  expect(made.status).toBe(200);
  const { secret, recoveryCodes } = made.body;
  const confirmed = await post('second-factor/confirm', { code: codeNow(secret, -1) }, signedIn);
  expect(confirmed.status).toBe(200);
  return { ...person, secret, recoveryCodes, headers: cookieOf(confirmed.headers) };
}

async function newPerson() {
  return withFactor(await createTestPerson(service));
}

/** Cookie of the first step. */
async function firstStep(person: Credentials): Promise<Cookies> {
  const answer = await signInAgain(person);
  expect(answer.body).toEqual({ secondFactorNeeded: true });
  return cookieOf(answer.headers);
}

const session = async (headers: object) =>
  (await service.call('/v1/auth/get-session', { headers: { ...headers } })).body;

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('codes are those of RFC 6238 (appendix B, SHA-1, second %d)', (second, code) => {
  expect(codeOf(Buffer.from('12345678901234567890'), second, 8)).toBe(code);
});

describe('setting up', () => {
  test('needs the password, shows address, QR code and recovery codes, and counts once confirmed', async () => {
    const person = await createTestPerson(service);
    const headers = await signIn(person);
    const wrong = await post('second-factor', { currentPassword: 'not the password' }, headers);
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'invalid_input']);
    const { status, body } = await post(
      'second-factor',
      { currentPassword: person.password },
      headers,
    );
    expect(status).toBe(200);
    const address = new URL(body.address);
    expect([address.protocol, address.host]).toEqual(['otpauth:', 'totp']);
    expect(decodeURIComponent(address.pathname)).toContain(person.email);
    expect(address.searchParams.get('secret')).toBe(body.secret);
    expect(new Set(body.recoveryCodes).size).toBe(10);
    expect(body.qr.path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
    // Not on yet: the password alone signs in.
    expect((await signInAgain(person)).body.user.email).toBe(person.email);
    const bad = await post('second-factor/confirm', { code: '000000' }, headers);
    expect([bad.status, bad.body.error.hint]).toEqual([400, expect.stringContaining('code:')]);
    const confirmed = await post('second-factor/confirm', { code: codeNow(body.secret) }, headers);
    expect(confirmed.status).toBe(200);
    const now = cookieOf(confirmed.headers);
    const shown = await service.call('/v1/auth/second-factor', { headers: now });
    expect(shown.body).toEqual({ isOn: true, isRequired: false, recoveryCodesLeft: 10 });
    const again = await post('second-factor', { currentPassword: person.password }, now);
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
  });

  test('ends every other session: who had the password only is out', async () => {
    const person = await createTestPerson(service);
    const [thief, other] = [await signIn(person), await signIn(person)];
    const owner = await withFactor(person);
    expect(await session(thief)).toBeNull();
    expect(await session(other)).toBeNull();
    expect(await session(owner.headers)).not.toBeNull();
    const factors = await sql<{ passed: boolean }[]>`
      SELECT x.factor_at IS NOT NULL AS passed FROM auth.session x
      JOIN auth."user" u ON u.id = x."userId" WHERE u.email = ${person.email}`;
    expect([...factors]).toEqual([{ passed: true }]);
  });

  test('keeps neither secret nor codes in the clear', async () => {
    const { email, secret, recoveryCodes } = await newPerson();
    const [row] = await sql`
      SELECT f::text AS kept FROM auth."twoFactor" f JOIN auth."user" u ON u.id = f."userId"
      WHERE u.email = ${email}`;
    for (const told of [secret, fromBase32(secret).toString(), recoveryCodes[0]]) {
      expect(row?.kept).not.toContain(told);
    }
  });
});

describe('signing in', () => {
  test('takes the password, then a code, within one sign-in', async () => {
    const person = await newPerson();
    const cookie = await firstStep(person);
    expect(await session(cookie)).toBeNull();
    const done = await post('sign-in/second-factor', { code: codeNow(person.secret) }, cookie);
    expect(done.status).toBe(200);
    expect((await session(cookieOf(done.headers))).user.email).toBe(person.email);
    // The first step is used up.
    const again = await post('sign-in/second-factor', { code: codeNow(person.secret, 1) }, cookie);
    expect([again.status, again.body.error.code]).toEqual([401, 'not_signed_in']);
  });

  test('refuses a code without the first step, and with the cookie of somebody else', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const code = codeNow(one.secret);
    expect((await post('sign-in/second-factor', { code })).status).toBe(401);
    const stranger = await post('sign-in/second-factor', { code }, await firstStep(other));
    expect(stranger.status).toBe(400);
    // A session in the same browser does not stand for the first step.
    expect((await post('sign-in/second-factor', { code }, other.headers)).status).toBe(401);
  });

  test('takes a code once, from however many at once', async () => {
    const person = await newPerson();
    const steps = await Promise.all([1, 2, 3].map(() => firstStep(person)));
    const code = codeNow(person.secret);
    const answers = await Promise.all(
      steps.map((cookie) => post('sign-in/second-factor', { code }, cookie)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    const later = await post('sign-in/second-factor', { code }, await firstStep(person));
    expect([later.status, later.body.error.code]).toEqual([400, 'invalid_input']);
    const left = await sql`
      SELECT 1 FROM auth.session s JOIN auth."user" u ON u.id = s."userId"
      WHERE u.email = ${person.email}`;
    // The one that set it up, and the one that the code opened.
    expect(left).toHaveLength(2);
  });

  test.each([
    [-2, 400],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 400],
  ])('a clock that is %d half minutes off: %d', async (steps, status) => {
    const person = await newPerson();
    await sql`DELETE FROM auth.used_code`;
    // Away from the turn of a half minute.
    await until('the turn has passed', () => (Date.now() / 1_000) % 30 <= 28);
    const code = codeNow(person.secret, steps);
    const answer = await post('sign-in/second-factor', { code }, await firstStep(person));
    expect(answer.status).toBe(status);
  });

  test('takes a recovery code once', async () => {
    const person = await newPerson();
    const [code] = person.recoveryCodes;
    const first = await post('sign-in/second-factor', { code }, await firstStep(person));
    expect(first.status).toBe(200);
    const again = await post('sign-in/second-factor', { code }, await firstStep(person));
    expect(again.status).toBe(400);
    const { body } = await service.call('/v1/auth/second-factor', {
      headers: cookieOf(first.headers),
    });
    expect(body.recoveryCodesLeft).toBe(9);
  });

  test('takes codes however they are spaced, at every door', async () => {
    const person = await createTestPerson(service);
    const signedIn = await signIn(person);
    const made = await post('second-factor', { currentPassword: person.password }, signedIn);
    const { secret, recoveryCodes } = made.body;
    const [a, b] = [codeNow(secret, -1), codeNow(secret)];
    const spaced = `\u00A0${a.slice(0, 3)} ${a.slice(3)}\n`;
    const confirmed = await post('second-factor/confirm', { code: spaced }, signedIn);
    expect(confirmed.status).toBe(200);
    const enter = async (code: string) =>
      (await post('sign-in/second-factor', { code }, await firstStep(person))).status;
    const arabic = b.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)));
    expect(await enter(`${arabic.slice(0, 3)}\u2011${arabic.slice(3)}`)).toBe(200);
    const [first = '', second = '', third = ''] = recoveryCodes;
    expect(await enter(first.replace('-', '.'))).toBe(200);
    expect(await enter(` ${second.replace('-', ' – ')} `)).toBe(200);
    expect([await enter(b), await enter(first)]).toEqual([400, 400]);
    const { email, password: currentPassword } = person;
    const body = { email, currentPassword, code: third.replace('-', '') };
    const erased = await post('erase-account', body, cookieOf(confirmed.headers));
    expect(erased.status).toBe(200);
  });

  test.each(['%', '%E0%A4%A', 'a%2'])('refuses a cookie that nobody wrote: %s', async (value) => {
    const cookie = `better-auth.two_factor=${value}`;
    const { status, body } = await post('sign-in/second-factor', { code: '123456' }, { cookie });
    expect([status, body.error.code]).toEqual([401, 'not_signed_in']);
  });

  test('counts no code that is none', async () => {
    const person = await newPerson();
    const cookie = await firstStep(person);
    const wrong = ['12345', '1234567', 'abcdef', '123456 or so', 'ab!de-fghij', '------'];
    for (const code of [...wrong, ...wrong, ...wrong]) {
      const { status, body } = await post('sign-in/second-factor', { code }, cookie);
      expect([status, body.error.code]).toEqual([400, 'invalid_input']);
      const { password: currentPassword } = person;
      const kept = { currentPassword, code };
      expect((await post('second-factor/remove', kept, person.headers)).status).toBe(400);
    }
    const done = await post('sign-in/second-factor', { code: codeNow(person.secret) }, cookie);
    expect(done.status).toBe(200);
  });

  test('ends a sign-in after five wrong codes, and locks after ten', async () => {
    const person = await newPerson();
    const wrong = (cookie: Cookies) => post('sign-in/second-factor', { code: '000000' }, cookie);
    const statuses: number[] = [];
    for (const _ of [1, 2]) {
      const cookie = await firstStep(person);
      for (const _time of [1, 2, 3, 4, 5]) statuses.push((await wrong(cookie)).status);
    }
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 400));
    const cookie = await firstStep(person);
    const locked = await post('sign-in/second-factor', { code: codeNow(person.secret) }, cookie);
    expect([locked.status, locked.body.error.code]).toEqual([429, 'rate_limited']);
  });

  test('a password that is set by mail or by the operator leaves the second factor', async () => {
    const person = await newPerson();
    const { password } = await setPassword(service, { email: person.email });
    await firstStep({ ...person, password });
  });
});

describe('taking it away', () => {
  test('needs password and code', async () => {
    const person = await newPerson();
    const remove = (body: object) => post('second-factor/remove', body, person.headers);
    const code = codeNow(person.secret);
    expect((await remove({ currentPassword: 'not the password', code })).status).toBe(400);
    expect((await remove({ currentPassword: person.password, code: '000000' })).status).toBe(400);
    const [recovery] = person.recoveryCodes;
    const done = await remove({ currentPassword: person.password, code: recovery });
    expect(done.status).toBe(200);
    expect((await signInAgain(person)).body.user.email).toBe(person.email);
  });

  test('new recovery codes end the former', async () => {
    const person = await newPerson();
    const renew = (body: object) =>
      post(
        'second-factor/recovery-codes',
        { currentPassword: person.password, ...body },
        person.headers,
      );
    expect([(await renew({})).status, (await renew({ code: '000000' })).status]).toEqual([
      400, 400,
    ]);
    const [first, former] = person.recoveryCodes;
    const made = await renew({ code: first });
    expect(made.body.recoveryCodes).toHaveLength(10);
    const [fresh] = made.body.recoveryCodes;
    const sign = async (code: string) =>
      (await post('sign-in/second-factor', { code }, await firstStep(person))).status;
    expect([await sign(former), await sign(fresh)]).toEqual([400, 200]);
  });

  test('the operator can, and every session ends', async () => {
    const person = await newPerson();
    expect(await takeAwaySecondFactor(service, person)).toEqual({
      email: person.email,
      wasOn: true,
    });
    expect(await session(person.headers)).toBeNull();
    expect(await session(await signIn(person))).not.toBeNull();
    expect((await takeAwaySecondFactor(service, person)).wasOn).toBe(false);
  });
});

describe('an organization that asks for it', () => {
  const path = '/v1/auth/organization/security';
  const requireFactor = (headers: object, secondFactorRequired = true) =>
    service.call(path, { method: 'PUT', body: { secondFactorRequired }, headers: { ...headers } });
  const apps = (headers: object) => service.call('/v1/apps', { headers: { ...headers } });

  test('is closed to members without one, until they have it', async () => {
    const org = await createTestOrg(service);
    const [owner, admin] = [
      await createTestMember(service, org, 'owner'),
      await createTestMember(service, org, 'admin'),
    ];
    const early = await requireFactor(owner);
    expect([early.status, early.body.error.code]).toEqual([409, 'conflict']);
    const ready = await withFactor(owner);
    expect((await requireFactor(admin)).status).toBe(403);
    expect((await requireFactor(ready.headers)).status).toBe(200);
    const refused = await apps(admin);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'permission_denied']);
    expect(refused.body.error.hint).toContain('second-factor');
    expect((await service.call(path, { headers: { cookie: admin.cookie } })).status).toBe(403);
    expect(await session(admin)).toMatchObject({ needsSecondFactor: true, role: 'admin' });
    expect((await apps(ready.headers)).status).toBe(200);
    expect((await apps(org.key)).status).toBe(200);
    const later = await withFactor(admin);
    expect((await apps(later.headers)).status).toBe(200);
    expect(await session(later.headers)).toMatchObject({ needsSecondFactor: false });
    expect((await requireFactor(ready.headers, false)).status).toBe(200);
  });

  test('asks it of the session: one that an older release left open is closed', async () => {
    const org = await createTestOrg(service);
    const owner = await withFactor(await createTestMember(service, org, 'owner'));
    expect((await requireFactor(owner.headers)).status).toBe(200);
    await sql`UPDATE auth.session SET factor_at = NULL
      WHERE "userId" = (SELECT id FROM auth."user" WHERE email = ${owner.email})`;
    service.deps.identity.authenticator.forgetOrganization(org.orgId);
    expect((await apps(owner.headers)).status).toBe(403);
    expect(await session(owner.headers)).toMatchObject({ needsSecondFactor: true });
  });

  test('asks nothing of members of another', async () => {
    const [strict, other] = [await createTestOrg(service), await createTestOrg(service)];
    const owner = await withFactor(await createTestMember(service, strict, 'owner'));
    expect((await requireFactor(owner.headers)).status).toBe(200);
    const member = await createTestMember(service, other, 'owner');
    expect((await apps(member)).status).toBe(200);
  });
});
