import { expect, test } from 'bun:test';
import { registeredRoutes } from '../../src/app/routes.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { checkAgainstContract } from '../support/contract.ts';

const routes = registeredRoutes({
  isReady: () => true,
  isHeld: () => false,
  stop: () => undefined,
});
const handler = { handle: async () => Response.json(openApiDocument(routes)) };

function checked(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = JSON.stringify(body);
  const all = new Headers({ 'content-type': 'application/json', ...headers });
  return checkAgainstContract(handler, 'GET', '/healthz', { status, body, text, headers: all });
}

const HEALTHY = { ok: true, service: 'mobile-control-plane' };

test('a declared answer passes; an undeclared status, header or body does not', async () => {
  await checked(200, HEALTHY);
  await expect(checked(418, HEALTHY)).rejects.toThrow('is not declared');
  await expect(checked(200, HEALTHY, { 'x-new': '1' })).rejects.toThrow('x-new');
  await expect(checked(200, { ...HEALTHY, ok: 'yes' })).rejects.toThrow(
    'does not fit the document',
  );
  await expect(checked(200, [])).rejects.toThrow('does not fit the document');
});
