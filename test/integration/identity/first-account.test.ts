import { describe, expect, test } from 'bun:test';
import { firstAccountCode as codeOf } from '../../../src/modules/identity/accounts/first-account.ts';
import { startListening } from '../../support/listening.ts';

const local = await startListening();
const { url, service, port } = await startListening();
const CODE = codeOf(service.deps.config);
const ELSEWHERE = { 'x-forwarded-for': '203.0.113.7' };

async function signUp(address: string, extra: object, headers: Record<string, string> = {}) {
  const email = `${crypto.randomUUID()}@example.com`;
  const answer = await fetch(`${address}/v1/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: 'First', email, password: 'correct horse battery', ...extra }),
  });
  const body: any = await answer.json();
  return { status: answer.status, body };
}

const firstAccount = async (address: string, headers: Record<string, string> = {}) =>
  (await fetch(`${address}/v1/auth/first-account`, { headers })).json();

describe('the first account', () => {
  test('needs no code from the machine itself', async () => {
    expect(await firstAccount(local.url)).toEqual({ needed: true, codeNeeded: false });
    expect((await signUp(local.url, {})).status).toBe(200);
    expect(await firstAccount(local.url)).toEqual({ needed: false, codeNeeded: false });
  });

  test('needs the code through a proxy, or under a name that was pointed here', async () => {
    const named = { host: `attacker.example:${port}` };
    for (const headers of [ELSEWHERE, named]) {
      expect(await firstAccount(url, headers)).toEqual({ needed: true, codeNeeded: true });
      const { status, body } = await signUp(url, {}, headers);
      expect([status, body.error.code]).toEqual([403, 'permission_denied']);
      expect(body.error.hint).toStartWith('firstAccountCode: ');
      expect(body.error.hint).toEndWith('from the machine itself none is needed');
    }
  });

  test('is refused with another code, also from the machine itself', async () => {
    for (const firstAccountCode of [CODE.slice(0, -1), `${CODE}2`]) {
      for (const headers of [ELSEWHERE, {}]) {
        const { status, body } = await signUp(url, { firstAccountCode }, headers);
        expect([status, body.error.code]).toEqual([400, 'invalid_input']);
        expect(body.error.hint).toContain('firstAccountCode');
      }
    }
  });

  test('is made with the code, however it is typed, and the code is worth nothing after', async () => {
    const firstAccountCode = ` ${CODE.toLowerCase().replaceAll('-', ' ')}`;
    expect((await signUp(url, { firstAccountCode }, ELSEWHERE)).status).toBe(200);
    const late = await signUp(url, { firstAccountCode }, ELSEWHERE);
    expect([late.status, late.body.error.code]).toEqual([403, 'permission_denied']);
  });
});

describe.each([
  ['a public address', { PUBLIC_URL: 'https://cp.example' }],
  ['a trusted proxy', { TRUST_PROXY: '1' }],
])('behind a proxy that says nothing, with %s', (_, env) => {
  test('no request is from this machine', async () => {
    const proxied = await startListening(env);
    expect(await firstAccount(proxied.url)).toEqual({ needed: true, codeNeeded: true });
    const { status, body } = await signUp(proxied.url, {});
    expect([status, body.error.hint]).toEqual([
      403,
      'firstAccountCode: the code that the start of the service printed',
    ]);
    expect((await fetch(`${proxied.url}/metrics`)).status).toBe(404);
    const firstAccountCode = codeOf(proxied.service.deps.config);
    expect((await signUp(proxied.url, { firstAccountCode })).status).toBe(200);
  });
});
