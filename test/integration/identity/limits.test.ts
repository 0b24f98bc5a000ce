import { createPayers } from '../../../src/modules/identity/index.ts';
import { describe, expect, test } from 'bun:test';
import { addIngestion } from '../../../src/event-store/intake/queries.ts';
import { deleteAppEvents } from '../../../src/event-store/people/erasure-queries.ts';
import { createSecret } from '../../../src/modules/keys/secret.ts';
import { cookieOf, createTestPerson, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { codeNow } from '../../support/totp.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const database = await testDatabase();
const ENV = { RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' };
/** Counters of its own for each test. */
const start = () => startTestService(database, { env: ENV });
type Service = Awaited<ReturnType<typeof start>>;

const from = (address: string) => ({ 'x-forwarded-for': address });
type Credentials = { email: string; password: string };
const signIn = (on: Service, { email, password }: Credentials, headers: Record<string, string>) =>
  on.call('/v1/auth/sign-in/email', { body: { email, password }, headers });
const wrong = (email: string) => ({ email, password: 'not the password' });
const counted = (statuses: number[]) =>
  Object.fromEntries(
    [...Map.groupBy(statuses, (one) => one)].map(([status, all]) => [status, all.length]),
  );

async function statusesOf(count: number, call: (n: number) => Promise<{ status: number }>) {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push((await call(n)).status);
  return statuses;
}

describe('wrong codes of a second factor', () => {
  test.each([
    ['', (cookie: string) => cookie],
    [' beside a cookie of another name', (cookie: string) => `two_factor=x; ${cookie}`],
    [' behind one of its name', (cookie: string) => `better-auth.two_factor=x; ${cookie}`],
    [' ahead of one of its name', (cookie: string) => `${cookie}; better-auth.two_factor=x`],
    [' in quotes', (cookie: string) => cookie.replace(/=(.*)$/, '="$1"')],
    [' with a blank', (cookie: string) => cookie.replace('=', ' =')],
  ])('are looked at ten times, however many sign-ins give them at once%s', async (_, among) => {
    const service = await start();
    const person = await createTestPerson(service);
    const post = (path: string, body: object, headers: object, n: number) =>
      service.call(`/v1/auth/${path}`, {
        body,
        headers: { ...headers, ...from(`203.0.113.${n}`) },
      });
    const signedIn = cookieOf((await signIn(service, person, from('203.0.113.250'))).headers);
    const made = await post('second-factor', { currentPassword: person.password }, signedIn, 250);
    const code = codeNow(made.body.secret);
    expect((await post('second-factor/confirm', { code }, signedIn, 250)).status).toBe(200);
    // Counts of setting it up; a new process has counters of its own.
    const other = await start();
    const half = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        signIn(other, person, from(`203.0.113.${n}`)).then(({ headers }) => cookieOf(headers)),
      ),
    );
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, n) =>
        other.call('/v1/auth/sign-in/second-factor', {
          body: { code: String(n).padStart(6, '0') },
          headers: {
            cookie: among(half[n % 50]?.cookie ?? ''),
            ...from(`198.51.${n >> 2}.1`),
          },
        }),
      ),
    );
    const lookedAt = answers.filter(({ status }) => status === 400);
    expect(lookedAt.length).toBeLessThanOrEqual(10);
  });
});

describe('wrong passwords', () => {
  test.each([
    ['the addresses of one /64', (n: number) => `2001:db8:0:1::${n + 1}`],
    ['one address, whatever its port', (n: number) => `203.0.113.10:${4000 + n}`],
    ['one address behind words that are none', (n: number) => `nobody-${n}`],
  ])('count together from %s', async (_, address) => {
    const service = await start();
    const statuses = await statusesOf(14, (n) =>
      signIn(service, wrong(`${n}@example.com`), from(address(n))),
    );
    expect(counted(statuses)).toEqual({ 401: 10, 429: 4 });
  });

  test('of others do not lock an account, however many on its own device', async () => {
    const service = await start();
    const person = await createTestPerson(service);
    const first = await signIn(service, person, from('198.51.100.1'));
    expect(first.status).toBe(200);
    const device = cookieOf(first.headers);
    const attack = async (networks: number) => {
      for (let network = 0; network < networks; network += 1) {
        const address = from(`203.0.113.${network}`);
        await statusesOf(10, () => signIn(service, wrong(person.email), address));
      }
    };
    await attack(9);
    expect((await signIn(service, person, from('192.0.2.1'))).status).toBe(200);
    await attack(12);
    expect((await signIn(service, person, from('192.0.2.2'))).status).toBe(429);
    // The network of the attacker included: the device has a counter of its own.
    const own = await signIn(service, person, { ...from('203.0.113.1'), ...device });
    expect(own.status).toBe(200);
    const guesses = await statusesOf(11, () =>
      signIn(service, wrong(person.email), { ...from('192.0.2.9'), ...device }),
    );
    expect(counted(guesses)).toEqual({ 401: 10, 429: 1 });
  });

  test('count together over a whole /48', async () => {
    const service = await start();
    const statuses = await statusesOf(110, (n) =>
      signIn(service, wrong(`${n}@example.com`), from(`2001:db8:7:${n.toString(16)}::1`)),
    );
    expect(counted(statuses)).toEqual({ 401: 100, 429: 10 });
    const elsewhere = await signIn(service, wrong('a@example.com'), from('2001:db8:8::1'));
    expect(elsewhere.status).toBe(401);
  });

  test('do not lock out who has signed up on this device', async () => {
    const service = await startTestService(database, { env: { ...ENV, SIGN_UP: 'open' } });
    await createTestPerson(service);
    const email = `${crypto.randomUUID()}@example.com`;
    const person = { email, password: 'correct horse battery' };
    const made = await service.call('/v1/auth/sign-up/email', {
      body: { name: 'New', ...person },
      headers: from('198.51.100.2'),
    });
    expect(made.status).toBe(200);
    for (let network = 0; network < 11; network += 1) {
      const address = from(`203.0.113.${network}`);
      await statusesOf(10, () => signIn(service, wrong(email), address));
    }
    expect((await signIn(service, person, from('192.0.2.3'))).status).toBe(429);
    const device = cookieOf(made.headers);
    expect((await signIn(service, person, { ...from('192.0.2.3'), ...device })).status).toBe(200);
  });

  test('count, right ones do not', async () => {
    const service = await start();
    const person = await createTestPerson(service);
    const statuses = await statusesOf(25, () => signIn(service, person, from('192.0.2.1')));
    expect(counted(statuses)).toEqual({ 200: 25 });
  });

  test('are attempts of a stranger where the cookie of the device is made up', async () => {
    const service = await start();
    const [one, other] = [await createTestPerson(service), await createTestPerson(service)];
    const { cookie } = cookieOf((await signIn(service, one, from('192.0.2.1'))).headers);
    const statuses = await statusesOf(11, () =>
      signIn(service, wrong(other.email), { ...from('192.0.2.2'), cookie }),
    );
    expect(counted(statuses)).toEqual({ 401: 10, 429: 1 });
    expect((await signIn(service, other, from('192.0.2.2'))).status).toBe(429);
  });
});

describe('publishable keys', () => {
  const ask = (on: Service, key: string, address = '192.0.2.1') =>
    on.call('/v1/experiments?anonymousId=device-0001', {
      headers: { 'x-service-key': key, ...from(address) },
    });
  const queries = (on: Service) => {
    let count = 0;
    const real = on.deps.deviceKeys.find;
    on.deps.deviceKeys.find = (secret, options) =>
      real(secret, {
        beforeGuess: async () => {
          count += 1;
          await options?.beforeGuess?.();
        },
      });
    return () => count;
  };

  test('that are malformed, missing or revoked are 401 for ever, without a look-up', async () => {
    const service = await start();
    const org = await createTestOrg(service);
    const app = await createTestApp(service, org.orgId);
    const keys = await service.call(`/v1/apps/${app.appId}/keys`, { headers: org.key });
    await ask(service, app.serviceKey);
    const path = `/v1/apps/${app.appId}/keys/${keys.body[0].id}`;
    await service.call(path, { method: 'DELETE', headers: org.key });
    const revoked = await ask(service, app.serviceKey);
    expect(revoked).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_service_key' } },
    });
    expect(revoked.headers.get('retry-after')).toBe('3600');
    const guesses = queries(service);
    for (const key of [app.serviceKey, 'svp_bad', '']) {
      expect(counted(await statusesOf(80, () => ask(service, key)))).toEqual({ 401: 80 });
    }
    expect(guesses()).toBe(0);
  });

  test('that nobody has are looked up so often by one network, and good ones always', async () => {
    const service = await start();
    const org = await createTestOrg(service);
    const app = await createTestApp(service, org.orgId);
    expect((await ask(service, app.serviceKey, '2001:db8::1')).status).toBe(200);
    const guess = (n: number) => ask(service, createSecret().secret, `2001:db8::${n + 2}`);
    expect(counted(await statusesOf(65, guess))).toEqual({ 401: 60, 429: 5 });
    expect((await ask(service, app.serviceKey, '2001:db8::1')).status).toBe(200);
    expect((await ask(service, createSecret().secret, '2001:db8:0:1::1')).status).toBe(401);
  });

  test('of a deleted app end at once, and what it still counted is not kept', async () => {
    const service = await start();
    const org = await createTestOrg(service);
    const app = await createTestApp(service, org.orgId);
    expect((await ask(service, app.serviceKey)).status).toBe(200);
    await service.call(`/v1/apps/${app.appId}`, { method: 'DELETE', headers: org.key });
    expect((await ask(service, app.serviceKey)).status).toBe(401);
    await deleteAppEvents(database.sql, { orgId: org.orgId, appId: app.appId });
    const development = { accepted: 0, duplicates: 0, corrected: 0 };
    const count = { accepted: 4, duplicates: 0, shifted: 0, withoutTs: 0, tooOld: 0, development };
    const hourMs = Date.parse('2026-11-21T10:00:00Z');
    await database.sql.begin((tx) =>
      addIngestion(tx, [{ appId: app.appId, orgId: org.orgId, hourMs, ...count }]),
    );
    const rows = await database.sql`
      SELECT 1 FROM event_ingestion_hours WHERE app_id = ${app.appId}`;
    expect(rows).toHaveLength(0);
  });
});

describe('requests', () => {
  test('for the session are counted by person, not by address', async () => {
    const service = await start();
    const people = await Promise.all([createTestPerson(service), createTestPerson(service)]);
    const [one, other] = await Promise.all(people.map((person) => signInAs(service, person)));
    const session = (headers: Record<string, string>) =>
      service.call('/v1/auth/get-session', { headers: { ...headers, ...from('192.0.2.1') } });
    const statuses = await Promise.all(
      Array.from({ length: 241 }, async () => (await session({ ...one })).status),
    );
    expect(counted(statuses)).toEqual({ 200: 240, 429: 1 });
    expect((await session({ ...other })).status).toBe(200);
    const out = await service.call('/v1/auth/sign-out', {
      method: 'POST',
      headers: { ...other, ...from('192.0.2.1') },
    });
    expect(out.status).toBe(200);
  });

  test('for paths that are no routes are counted by address', async () => {
    const service = await start();
    const statuses = await Promise.all(
      Array.from({ length: 245 }, async (_, n) => {
        const path = `/v1/nothing-${n}`;
        return (await service.call(path, { headers: from('192.0.2.1') })).status;
      }),
    );
    expect(counted(statuses)).toEqual({ 404: 240, 429: 5 });
  });

  test('of a person who also presents keys are judged by the keys', async () => {
    const service = await start();
    const org = await createTestOrg(service);
    const headers = await signInAs(service, org);
    const list = (extra: Record<string, string>) =>
      service.call('/v1/auth/organization/list', { headers: { ...headers, ...extra } });
    expect((await list({})).status).toBe(200);
    const unknown = await list({ 'x-api-key': `svk_${'x'.repeat(64)}` });
    expect(unknown).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
    const two = await list({ 'x-api-key': org.apiKey, authorization: 'Bearer another' });
    expect(two).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
    const good = await list({ 'x-api-key': org.apiKey });
    expect(good).toMatchObject({ status: 401, body: { error: { code: 'not_signed_in' } } });
  });

  test('that make organizations with one slug at once make one', async () => {
    const service = await startTestService(database);
    const headers = await signInAs(service, await createTestPerson(service));
    const slug = `org-${crypto.randomUUID().slice(0, 8)}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        service.call('/v1/auth/organization/create', { body: { name: 'A', slug }, headers }),
      ),
    );
    expect(counted(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 19 });
  });

  test('of an unproved address make three organizations, all at once too', async () => {
    const service = await startTestService(database);
    const person = await createTestPerson(service);
    const headers = await signInAs(service, person);
    const create = () =>
      service.call('/v1/auth/organization/create', { body: { name: 'A' }, headers });
    const prove = (proved: boolean) =>
      database.sql`UPDATE auth."user" SET "emailVerified" = ${proved} WHERE email = ${person.email}`;
    await prove(false);
    const answers = await Promise.all(Array.from({ length: 8 }, create));
    expect(counted(answers.map(({ status }) => status))).toEqual({ 200: 3, 409: 5 });
    const made = answers.find(({ status }) => status === 200)!;
    const left = answers.find(({ status }) => status === 409)!;
    expect(left.body.error).toEqual({
      code: 'conflict',
      message: 'An account without a proved address makes at most 3 organizations.',
      hint: 'Reset the password by the mailed link, which proves the address, or delete an organization.',
    });
    // Whoever gives one away has made it all the same, and pays for its questions.
    const heir = await createTestPerson(service);
    const [owner, next] = await Promise.all(
      [person, heir].map(async ({ email }) => {
        const [row] = await database.sql`SELECT id FROM auth."user" WHERE email = ${email}`;
        return row!.id;
      }),
    );
    await database.sql`UPDATE auth.member SET "userId" = ${next}
      WHERE "organizationId" = ${made.body.id} AND "userId" = ${owner}`;
    expect((await create()).status).toBe(409);
    const payersOf = createPayers(service.deps);
    expect(await payersOf(made.body.id)).toEqual([owner, made.body.id]);
    expect(await payersOf('nobody')).toEqual(['nobody', 'nobody']);
    await prove(true);
    expect((await create()).status).toBe(200);
  });

  test('that change nothing of an organization are refused', async () => {
    const service = await startTestService(database);
    const headers = await signInAs(service, await createTestOrg(service));
    const answer = await service.call('/v1/auth/organization/update', { body: {}, headers });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
    expect(answer.body.error.hint).toStartWith('name: ');
  });
});
