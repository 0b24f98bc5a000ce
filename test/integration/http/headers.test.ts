import { afterAll, describe, expect, test } from 'bun:test';
import { serve } from '../../../src/app/serve.ts';
import { launchChromium } from '../../support/clients/chromium.ts';
import { testDatabase } from '../../support/postgres.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { startTestService } from '../../support/service.ts';

const database = await testDatabase();

async function served(env: Record<string, string>) {
  const warnings: string[] = [];
  const service = await startTestService(database, {
    env: { PORT: '0', ...env },
    with: ({ log }) => ({
      log: Object.assign(Object.create(log), {
        warn: (first: unknown) => warnings.push(String(first)),
      }),
    }),
  });
  const server = await serve(service.deps);
  afterAll(() => server.stop());
  return { ...service, address: server.address, warnings };
}

const plain = await served({});
const behindProxy = await served({ TRUST_PROXY: '1', PUBLIC_URL: 'https://api.example.com' });

describe('the headers of every answer', () => {
  test.each([
    ['GET', '/healthz'],
    ['GET', '/v1/apps'],
    ['GET', '/nothing'],
    ['POST', '/v1/events'],
    ['PUT', '/v1/apps'],
    ['OPTIONS', '/v1/apps'],
    ['GET', '/docs'],
    ['GET', '/docs/start.js'],
    ['GET', '/openapi.json'],
  ])('%s %s', async (method, path) => {
    const { headers } = await plain.call(path, { method });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('strict-transport-security')).toBeNull();
  });

  test('hold TLS for good under a public address of https', async () => {
    const { headers } = await behindProxy.call('/v1/apps');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });
});

test('the viewer runs our own scripts only, in no frame, and keeps no key', async () => {
  const page = await plain.call('/docs');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(page.text).not.toMatch(/<script>|<script [^>]*>[^<]/);
  const start = await plain.call('/docs/start.js');
  expect(start.headers.get('content-type')).toContain('javascript');
  expect(start.text).not.toContain('persistAuthorization');
});

const browser = await launchChromium();
afterAll(() => browser?.close());

test.skipIf(browser === null)('the viewer works under its own policy', async () => {
  const page = await browser!.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${plain.address}/docs`);
  // With so many operations the viewer draws those in sight, and the others as one scrolls.
  await page.locator('.opblock-summary-path', { hasText: '/v1/auth' }).first().waitFor();
  expect(await page.locator('.operation-filter-input').count()).toBe(1);
  await page.keyboard.press('End');
  await page.locator('.opblock-tag', { hasText: 'Accounts' }).waitFor({ state: 'detached' });
  expect(await page.locator('.opblock').count()).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
  await page.close();
});

describe('metrics without the token', () => {
  const ask = async (address: string, ...headers: string[]) =>
    (await sendRaw(address, ['GET /metrics HTTP/1.1', ...headers])).status;

  test.each(['localhost', '127.0.0.1', 'LOCALHOST:3000', '[::1]:3000'])(
    'are shown to this machine, by the host %s',
    async (host) => {
      expect(await ask(plain.address, `Host: ${host}`)).toBe(200);
    },
  );

  test.each(['evil.example', '127.evil', 'localhost.evil.example', '10.0.0.1'])(
    'are not shown by the host %s',
    async (host) => {
      expect(await ask(plain.address, `Host: ${host}`)).toBe(404);
    },
  );

  test.each([
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-For: 127.evil',
    'X-Real-IP: 127.0.0.1',
    'Forwarded: for=127.0.0.1',
    'Via: 1.1 proxy',
  ])('are not shown through a proxy: %s', async (header) => {
    for (const { address } of [plain, behindProxy]) {
      expect(await ask(address, 'Host: localhost', header)).toBe(404);
    }
  });

  test('are shown to nobody whose connection is not known', async () => {
    expect((await plain.call('/metrics')).status).toBe(404);
  });
});

describe('a proxy that the configuration does not know of', () => {
  test('is warned of at the start', async () => {
    const { warnings } = await served({ PUBLIC_URL: 'https://api.example.com' });
    expect(warnings.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(1);
  });

  test.each([
    { PUBLIC_URL: 'https://api.example.com', TRUST_PROXY: '1' },
    { PUBLIC_URL: 'http://localhost:3000' },
    { PUBLIC_URL: 'https://api.example.com', HOST: '0.0.0.0' },
    {},
  ])('is not suspected with %p', async (env) => {
    const { warnings } = await served(env);
    expect(warnings).toEqual([]);
  });
});
