import { afterAll, expect, test } from 'bun:test';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { loadConfig } from '../../../src/config.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { createTemporalGateway } from '../../../src/temporal/gateway.ts';

/** Takes connections and ends them, as a server that is going down. */
const server = createServer((socket) => socket.destroy());
server.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close());

function configFor(address: ReturnType<typeof server.address>) {
  const port = typeof address === 'object' && address ? address.port : 0;
  return loadConfig({
    DATA_DIR: '/tmp/closed-channel-test',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
    AUTH_SECRET: 'a-secret-for-this-test-0123456789abcdef',
  });
}

const installation = { ownId: async () => crypto.randomUUID() };

test('a call that is being repeated when the connection is closed ends as an outage', async () => {
  const config = configFor(server.address());
  const answers = Array.from({ length: 5 }, async () => {
    const gateway = createTemporalGateway(config, {}, installation);
    const refused = once(server, 'connection');
    const asked = gateway
      .call(() => gateway.client.connection.workflowService.getSystemInfo({}), 60_000)
      .catch((error: unknown) => error);
    await refused;
    await gateway.close();
    return asked;
  });
  for (const answer of await Promise.all(answers)) {
    expect(answer).toBeInstanceOf(AppError);
    expect(answer).toMatchObject({ code: 'unavailable' });
  }
});

test('a call that begins after the connection is closed ends as an outage', async () => {
  const gateway = createTemporalGateway(configFor(server.address()), {}, installation);
  const ask = () =>
    gateway
      .call(() => gateway.client.connection.workflowService.getSystemInfo({}), 10_000)
      .catch((error: unknown) => error);
  const refused = once(server, 'connection');
  const before = ask();
  await refused;
  await gateway.close();
  expect([await before, await ask()]).toEqual([
    expect.objectContaining({ code: 'unavailable' }),
    expect.objectContaining({ code: 'unavailable' }),
  ]);
});
