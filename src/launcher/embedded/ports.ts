import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

function tryPort(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}

export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await tryPort(port, host)) !== undefined;
}

/** Below those that systems give to outgoing connections, which would take one before its server. */
const OWN_PORTS = { from: 20_000, to: 32_000 };
const TRIES = 50;

export async function freePort(preferred: readonly number[] = []): Promise<number> {
  for (const port of preferred) if (await isFree(port)) return port;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(OWN_PORTS.from, OWN_PORTS.to);
    if (await isFree(port)) return port;
  }
  const any = await tryPort(0, '127.0.0.1');
  if (any === undefined) throw new Error('No free TCP port could be found on 127.0.0.1.');
  return any;
}
