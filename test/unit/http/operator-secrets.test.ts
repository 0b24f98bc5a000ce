import { expect, test } from 'bun:test';
import { Elysia } from 'elysia';
import type { OperatorSecret } from '../../../src/http/access.ts';
import { secretCheck } from '../../../src/http/operator-secrets.ts';
import { access } from '../../../src/http/route.ts';

test('a route that declares a secret which nothing checks does not start', () => {
  const secret: any = 'nothing';
  const start = () =>
    new Elysia().use(access).get('/v1/somewhere', () => 'for the operator', { open: { secret } });
  expect(start).toThrow('Nothing checks the secret "nothing"');
});

const SECRETS: readonly OperatorSecret[] = ['cronSecret', 'metricsToken', 'lakeToken'];
const config: any = { trustProxy: 0, publicUrl: undefined, lake: { isOn: true, token: 'l' } };
const state: any = { deps: { config }, peer: '203.0.113.7' };

test.each(SECRETS)('%s is enforced by what is declared alone', (secret) => {
  const request = { headers: new Headers({ authorization: 'Bearer x' }), url: 'http://x/' };
  expect(() => secretCheck(secret)(state, request)).toThrow();
});
