import { expect, test } from 'bun:test';
import { checkAgainstContract } from '../support/contract.ts';

const HEALTHY = { ok: true, service: 'mobile-control-plane' };

function checked(
  status: number,
  body: unknown,
  { path = '/healthz', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
) {
  const all = new Headers({ 'content-type': 'application/json', ...headers });
  const answer = { status, body, text: JSON.stringify(body), headers: all };
  return () => checkAgainstContract('GET', path, answer);
}

test('a declared answer passes; an undeclared status, header or body does not', () => {
  checked(200, HEALTHY)();
  expect(checked(418, HEALTHY)).toThrow('is not declared');
  expect(checked(200, HEALTHY, { headers: { 'x-new': '1' } })).toThrow('x-new');
  expect(checked(200, { ...HEALTHY, ok: 'yes' })).toThrow('does not fit the document');
  expect(checked(200, [])).toThrow('does not fit the document');
});

test('where nothing is declared, only that nothing is there may be said', () => {
  for (const status of [404, 405, 429]) checked(status, {}, { path: '/v1/nowhere' })();
  expect(checked(200, {}, { path: '/v1/nowhere' })).toThrow('is not declared');
});
