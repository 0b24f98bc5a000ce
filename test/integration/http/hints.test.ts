import { describe, expect, test } from 'bun:test';
import { createTestPerson, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const org = await createTestOrg(service);
const { appId, device } = await createTestApp(service, org.orgId);
const app = `/v1/apps/${appId}`;
const owner = await signInAs(service, org);

const hintOf = (answer: { status: number; body: any }, status = 400) => {
  expect(answer.status).toBe(status);
  return answer.body.error.hint;
};
const ask = (path: string) => service.call(path, { headers: org.key });

describe('a number in a query', () => {
  test.each([
    ['/v1/analytics?days=500', 'days: must be a whole number from 1 to 400'],
    [`${app}/events/summary?days=401`, 'days: must be a whole number from 1 to 400'],
    [`${app}/events/recent?limit=101`, 'limit: must be a whole number from 1 to 100'],
    [`${app}/insights?days=0`, 'days: must be a whole number from 1 to 400'],
    ['/v1/logs?limit=1001', 'limit: must be a whole number from 1 to 1000'],
    ['/v1/logs?since=abc', 'since: must be a number in decimal digits'],
  ])('that is out of range is named with its rule: %s', async (path, hint) => {
    expect(hintOf(await ask(path))).toBe(hint);
  });

  test.each(['0x10', '1e2', '%205', '5%20', '+5', '', '1.0', '05', 'NaN', '9'.repeat(40)])(
    'written "%s" is refused',
    async (text) => {
      const hint = 'limit: must be a whole number from 1 to 1000';
      expect(hintOf(await ask(`/v1/logs?limit=${text}`))).toBe(hint);
    },
  );

  test('is read when it is in range', async () => {
    const posted = { body: { message: 'one' }, headers: org.key };
    await service.call('/v1/logs', posted);
    await service.call('/v1/logs', posted);
    expect((await ask('/v1/logs?limit=1&since=0&until=9e15')).status).toBe(400);
    const { body } = await ask('/v1/logs?limit=1&since=0.5&until=99999999999999');
    expect(body.entries).toHaveLength(1);
  });

  test('and every parameter may be given once only', async () => {
    const hint = 'days: may be given once only';
    expect(hintOf(await ask('/v1/analytics?days=1&days=2'))).toBe(hint);
    expect(hintOf(await ask('/v1/analytics?days=1&d%61ys=2'))).toBe(hint);
  });
});

describe('a field that breaks its rule', () => {
  const signUp = (email: string) =>
    service.call('/v1/auth/sign-up/email', {
      body: { name: 'Somebody', email, password: 'a-long-password-of-mine' },
    });

  test.each(['ü@example.com', '.a@b.de', 'a b@c.de', 'a@b', `${'a'.repeat(250)}@example.com`])(
    'e-mail "%s"',
    async (email) => {
      const rule = 'must be an e-mail address of 5 to 254 characters';
      expect(hintOf(await signUp(email))).toBe(`email: ${rule}`);
    },
  );

  test('the same permission twice', async () => {
    const answer = await service.call('/v1/organization/keys', {
      headers: owner,
      body: { name: 'twice', permissions: ['app:read', 'app:read'] },
    });
    expect(hintOf(answer)).toBe('permissions: must not hold the same value twice');
  });

  test('a private key that is none, which the store is not asked about', async () => {
    const answer = await service.call('/v1/store/connection', {
      headers: org.key,
      body: {
        issuerId: 'issuer-0001',
        keyId: 'KEY0000001',
        vendorNumber: '80000000',
        privateKey: 'x'.repeat(200),
      },
    });
    expect(answer.body.error.code).toBe('invalid_input');
    expect(hintOf(answer)).toStartWith('privateKey: must be a P-256 key');
  });

  test('a log message that is too long, where any character goes', async () => {
    const answer = await service.call('/v1/logs', {
      headers: org.key,
      body: { message: 'x'.repeat(2_001) },
    });
    expect(hintOf(answer)).toBe('message: must be 1 to 2000 characters');
  });
});

describe('a key in the wrong place is told where it belongs', () => {
  const misplaced = { 'x-service-key': org.apiKey };

  test.each([
    ['/v1/apps', 'an organization key', misplaced, 'An organization key goes into x-api-key'],
    ['/v1/apps', 'a publishable key', device, 'Publishable keys serve device routes only'],
    ['/v1/onboarding', 'an organization key', misplaced, 'This route needs a signed-in session'],
    ['/v1/onboarding', 'an organization key', org.key, 'This route needs a signed-in session'],
  ] as [string, string, Record<string, string>, string][])(
    '%s: %s',
    async (path, _, headers, hint) => {
      expect(hintOf(await service.call(path, { headers }), 401)).toStartWith(hint);
    },
  );

  test('a person without an organization is told to choose one', async () => {
    const headers = await signInAs(service, await createTestPerson(service));
    expect(hintOf(await service.call('/v1/apps', { headers }))).toContain('set-active');
  });
});
