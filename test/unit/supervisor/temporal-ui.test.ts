import { afterAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import { hiddenUiAddress, startUiProxy } from '../../../src/launcher/embedded/temporal-ui.ts';

const seen: string[] = [];
const ui = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    seen.push(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`);
    return new Response('the UI', { headers: { 'set-cookie': '_csrf=a; Path=/' } });
  },
});
const port = await freePort();
const proxy = startUiProxy(port, { host: '127.0.0.1', port: ui.port ?? 0 });
afterAll(async () => {
  await proxy.stop();
  await ui.stop(true);
});

/** As it stands on the wire: `fetch` sets `Host` itself. */
function raw(lines: string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(`${[...lines, 'Connection: close', '', ''].join('\r\n')}`);
  });
  let answer = '';
  socket.on('data', (bytes) => {
    answer += String(bytes);
  });
  socket.on('close', () => resolve(answer));
  return promise;
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

describe('the proxy of the Temporal UI', () => {
  test.each(['localhost:8233', '127.0.0.1', '[::1]:9', 'LOCALHOST'])('answers %s', async (host) => {
    const answer = await raw(['GET /api/v1/namespaces HTTP/1.1', `Host: ${host}`]);
    expect(statusOf(answer)).toBe(200);
    expect(answer).toContain('_csrf=a');
    expect(answer.toLowerCase()).toContain('referrer-policy: no-referrer');
  });

  test.each(['evil.example', 'evil.example:8233', '127.0.0.1.evil.example', '10.0.0.1', ''])(
    'refuses %p',
    async (host) => {
      const before = seen.length;
      const answer = await raw(['GET /api/v1/namespaces HTTP/1.1', `Host: ${host}`]);
      expect(statusOf(answer)).toBeGreaterThanOrEqual(400);
      expect(answer).not.toContain('_csrf');
      expect(seen).toHaveLength(before);
    },
  );

  test('takes what a page of the UI sends, and nothing of another page', async () => {
    const send = (origin: string) =>
      fetch(`http://127.0.0.1:${port}/api/v1/x`, {
        method: 'POST',
        headers: { origin },
        body: 'forged',
      });
    for (const origin of ['http://evil.example', 'http://localhost:5173', 'null']) {
      expect((await send(origin)).status).toBe(403);
    }
    expect((await send(`http://127.0.0.1:${port}`)).status).toBe(200);
    expect(seen.filter((one) => one.includes('forged'))).toEqual(['POST /api/v1/x forged']);
  });

  test('says that the UI is not up', async () => {
    const other = await freePort();
    const early = startUiProxy(other, { host: '127.0.0.1', port: await freePort() });
    expect((await fetch(`http://127.0.0.1:${other}/`)).status).toBe(502);
    await early.stop();
  });
});

test('the UI itself listens where nobody can guess', async () => {
  const addresses = await Promise.all(Array.from({ length: 5 }, hiddenUiAddress));
  for (const address of addresses) expect(address?.host).toMatch(/^127\.\d+\.\d+\.\d+$/);
  expect(new Set(addresses.map((address) => address?.host)).size).toBe(5);
});
