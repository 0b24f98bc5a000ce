import { expect, test } from 'bun:test';
import { connect, createServer } from 'node:net';
import { delayServers, shuffle } from '../../../scripts/test/chance.ts';
import { seeded } from '../../../src/shared/random.ts';
import { nextTurn } from '../../support/pause.ts';

test('the same seed gives the same order, another seed another', () => {
  const files = Array.from({ length: 50 }, (_, index) => index);
  const order = (seed: number) => shuffle(files, seeded(seed).next);
  expect(order(7)).toEqual(order(7));
  expect(order(7)).not.toEqual(order(8));
  expect(order(7).toSorted((a, b) => a - b)).toEqual(files);
});

test('a delayed server receives and sends everything in order, and ends', async () => {
  const echo = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await new Promise((resolve) => echo.once('listening', resolve));
  const { port } = echo.address() as { port: number };
  const { TEST_TEMPORAL_ADDRESS: address = '' } = await delayServers(
    { TEST_TEMPORAL_ADDRESS: `127.0.0.1:${port}` },
    seeded(1).next,
  );
  expect(address).not.toBe(`127.0.0.1:${port}`);
  const client = connect({ host: '127.0.0.1', port: Number(address.split(':')[1]) });
  let answer = '';
  client.on('data', (bytes) => {
    answer += bytes;
  });
  const ended = new Promise((resolve) => client.once('close', resolve));
  const sent = Array.from({ length: 20 }, (_, index) => `${index};`);
  for (const part of sent) {
    client.write(part);
    await nextTurn();
  }
  client.end();
  await ended;
  expect(answer).toBe(sent.join(''));
  echo.close();
});
