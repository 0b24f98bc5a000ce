import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import * as x509 from '@peculiar/x509';
import { createEgress, type EgressOptions } from '../../../src/providers/egress/client.ts';
import { EgressError } from '../../../src/providers/egress/port.ts';

const HOST = 'hooks.example';
let ca: string;
let server: ReturnType<typeof Bun.serve>;
let plain: ReturnType<typeof Bun.serve>;
const seen: { host: string | null; path: string; body: string }[] = [];

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url);
  seen.push({
    host: request.headers.get('host'),
    path: url.pathname + url.search,
    body: await request.text(),
  });
  if (url.pathname === '/moved') return Response.redirect('https://elsewhere.example/', 302);
  if (url.pathname === '/endless') {
    const headers = { 'retry-after': '7' };
    return new Response(new ReadableStream({ start: (sending) => sending.enqueue('x') }), {
      status: 503,
      headers,
    });
  }
  if (url.pathname === '/large') return new Response('x'.repeat(70_000));
  if (url.pathname === '/silent')
    await new Promise((resolve) => setTimeout(resolve, 5_000).unref());
  return new Response('ok', { status: url.pathname === '/broken' ? 500 : 200 });
}

beforeAll(async () => {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${HOST}`,
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: HOST }])],
  });
  ca = certificate.toString('pem');
  const key = x509.PemConverter.encode(
    await crypto.subtle.exportKey('pkcs8', keys.privateKey),
    'PRIVATE KEY',
  );
  const listen = { port: 0, hostname: '127.0.0.1', fetch: answer, idleTimeout: 30 };
  server = Bun.serve({ ...listen, tls: { key, cert: ca } });
  plain = Bun.serve(listen);
});
afterAll(async () => {
  await server.stop(true);
  await plain.stop(true);
});

/** The test server stands on loopback, so the pair is allowed unless a test says otherwise. */
const egress = (options: Partial<EgressOptions> = {}) =>
  createEgress({
    allow: [`${HOST}:${server.port}`],
    resolve: async () => ['127.0.0.1'],
    ca,
    ...options,
  });
const to = (path: string) => `https://${HOST}:${server.port}${path}`;
const message = (url: string) => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: '{}',
});

async function faultOf(work: Promise<unknown>) {
  return work.then(
    () => 'none',
    (thrown) => (thrown instanceof EgressError ? thrown.fault : String(thrown)),
  );
}

describe('a POST', () => {
  test('reaches the checked address under its own name, whatever it answers', async () => {
    expect(await egress().post({ ...message(to('/in?a=1')), body: '{"a":1}' })).toEqual({
      status: 200,
    });
    expect(seen.at(-1)).toEqual({
      host: `${HOST}:${server.port}`,
      path: '/in?a=1',
      body: '{"a":1}',
    });
    expect(await egress().post(message(to('/broken')))).toEqual({ status: 500 });
  });

  test('resolves the name once and connects there', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return asked === 1 ? ['127.0.0.1'] : ['10.0.0.1'];
    };
    await egress({ resolve }).post(message(to('/once')));
    expect(asked).toBe(1);
  });

  test('goes to the next address of a name where one does not answer', async () => {
    for (const first of ['::1', '127.0.0.99', '192.0.2.1']) {
      const resolve = async () => [first, '127.0.0.1'];
      expect(await egress({ resolve }).post(message(to('/next')))).toEqual({ status: 200 });
    }
    expect(seen.filter(({ path }) => path === '/next')).toHaveLength(3);
    const none = async () => ['::1', '127.0.0.99'];
    expect(await faultOf(egress({ resolve: none }).post(message(to('/next'))))).toBe('network');
    const inside = createEgress({ allow: [], resolve: async () => ['8.8.8.8', '127.0.0.1'], ca });
    expect(await faultOf(inside.post(message(to('/next'))))).toBe('network');
    expect(seen.filter(({ path }) => path === '/next')).toHaveLength(3);
  });

  test('counts by the status of an answer, however long it is', async () => {
    expect(await egress().post(message(to('/large')))).toEqual({ status: 200 });
    expect(await egress().post(message(to('/endless')))).toEqual({
      ...{ status: 503, retryAfterSeconds: 7 },
    });
  });

  test('does not follow redirects', async () => {
    expect(await faultOf(egress().post(message(to('/moved'))))).toBe('redirect');
  });

  test('is cut at 64 KB', async () => {
    const body = 'x'.repeat(64 * 1024 + 1);
    expect(await faultOf(egress().post({ ...message(to('/in')), body }))).toBe('too_large');
  });

  test('is cut after its time, the look-up of the name included', async () => {
    expect(await faultOf(egress({ timeoutMs: 100 }).post(message(to('/silent'))))).toBe('timeout');
    const resolve = () => new Promise<string[]>(() => undefined);
    expect(await faultOf(egress({ timeoutMs: 50, resolve }).post(message(to('/in'))))).toBe(
      'timeout',
    );
  });

  test('refuses a certificate of another name or of nobody', async () => {
    const other = egress({ allow: [`other.example:${server.port}`] });
    const url = `https://other.example:${server.port}/`;
    expect(await faultOf(other.post(message(url)))).toBe('network');
    const strict = createEgress({
      allow: [`${HOST}:${server.port}`],
      resolve: async () => ['127.0.0.1'],
    });
    expect(await faultOf(strict.post(message(to('/in'))))).toBe('network');
  });

  test('goes over plain http only to a pair that the operator allowed', async () => {
    const url = `http://127.0.0.1:${plain.port}/in`;
    expect(await faultOf(egress().post(message(url)))).toBe('forbidden');
    const allowed = egress({ allow: [`127.0.0.1:${plain.port}`] });
    expect(await allowed.post(message(url))).toEqual({ status: 200 });
  });
});

describe('what is not public', () => {
  const closed = (addresses: string[]) => egress({ allow: [], resolve: async () => addresses });

  test('is refused by name, also when only one of its addresses is inside', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['::ffff:10.0.0.1'],
      ['8.8.8.8', '169.254.169.254'],
      ['::1'],
    ]) {
      expect(await faultOf(closed(addresses).post(message(to('/in'))))).toBe('network');
    }
  });

  test('is told of a name in the same words as that there is no such name', async () => {
    const words = (resolve: () => Promise<string[]>) =>
      egress({ allow: [], resolve })
        .post(message(to('/in')))
        .catch((thrown: Error) => thrown.message);
    const told = await Promise.all([
      words(async () => ['10.0.0.1']),
      words(async () => []),
      words(() => Promise.reject(new Error('getaddrinfo ENOTFOUND inside.example'))),
    ]);
    const same = 'The name resolves to no address on the public internet.';
    expect(told).toEqual([same, same, same]);
  });

  test('is refused as a literal in every spelling, before anything is sent', () => {
    const spellings = [
      '127.0.0.1',
      '0x7f.1',
      '2130706433',
      '017700000001',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[fe80::1]',
    ];
    for (const host of spellings)
      expect(() => closed([]).check(`https://${host}/`)).toThrow('public internet');
    expect(() => closed([]).check('https://8.8.8.8/')).not.toThrow();
  });

  test('is no address to post to: other schemes, credentials, nonsense', () => {
    const wrong = [
      'http://example.com/',
      'ftp://example.com/',
      'https://a:b@example.com/',
      'javascript:1',
      '',
      'example.com',
    ];
    for (const url of wrong) expect(() => closed([]).check(url)).toThrow(EgressError);
    expect(() => closed([]).check(`https://example.com/${'x'.repeat(2_048)}`)).toThrow(EgressError);
  });

  test('a name without an address is a fault of the network', async () => {
    expect(await faultOf(closed([]).post(message(to('/in'))))).toBe('network');
  });
});

describe('a question', () => {
  test('has what was answered, by the same rules', async () => {
    const reply = await egress().ask({ url: to('/in'), method: 'GET', headers: {} });
    expect([reply.status, reply.text]).toEqual([200, 'ok']);
    expect(reply.headers['content-length']).toBe('2');
    const ask = (url: string) => egress().ask({ url, method: 'GET', headers: {} });
    expect(await faultOf(ask(to('/moved')))).toBe('redirect');
    expect(await faultOf(ask(to('/large')))).toBe('too_large');
    expect(await faultOf(ask('https://10.0.0.1/'))).toBe('forbidden');
  });
});
