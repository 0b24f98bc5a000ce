import { afterAll, beforeEach, expect, test } from 'bun:test';
import { sendNotification } from '../../simulators/store-server/sender.ts';

let answers: number[] = [];
const bodies: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    bodies.push(await request.text());
    return new Response('', { status: answers.shift() ?? 200 });
  },
});
afterAll(() => server.stop(true));
beforeEach(() => {
  bodies.length = 0;
});

const url = `http://127.0.0.1:${server.port}`;
const send = (environment: 'Production' | 'Sandbox', to = url) =>
  sendNotification({ url: to, environment, retryDelaysMs: [1, 1, 1, 1, 1] }, 'a.b.c');

test('production sends the same again until it is taken, six times at most', async () => {
  answers = [500, 404, 200];
  const attempts = await send('Production');
  expect(attempts.map((one) => one.sendAttemptResult)).toEqual([
    'UNSUCCESSFUL_HTTP_RESPONSE_CODE',
    'UNSUCCESSFUL_HTTP_RESPONSE_CODE',
    'SUCCESS',
  ]);
  expect(new Set(bodies)).toEqual(new Set(['{"signedPayload":"a.b.c"}']));
  answers = Array.from({ length: 9 }, () => 503);
  expect(await send('Production')).toHaveLength(6);
});

test('the sandbox sends once', async () => {
  answers = [500];
  expect(await send('Sandbox')).toHaveLength(1);
});

test('nobody there is no response', async () => {
  const [first] = await send('Sandbox', 'http://127.0.0.1:1');
  expect(first?.sendAttemptResult).toBe('NO_RESPONSE');
});
