import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

function tryPort(port: number, host: string): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}

export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return typeof (await tryPort(port, host)) === 'number';
}

type PortFault = { found: string; cure: string };

/** Null: `host` and `port` can be listened at. */
export async function findPortFault(
  name: string,
  port: number,
  host: string,
): Promise<PortFault | null> {
  const tried = await tryPort(port, host);
  switch (tried) {
    case 'EADDRNOTAVAIL':
      return {
        found: `HOST ${host} is no address of this machine.`,
        cure: 'Set HOST to one of its addresses, or to 0.0.0.0 for all of them.',
      };
    case 'EACCES':
      return {
        found: `${name} ${port} on ${host} needs a right that this account lacks.`,
        cure: `Set another ${name}, of 1024 or above.`,
      };
    default:
      return typeof tried === 'number'
        ? null
        : {
            found: `${name} ${port} on ${host} is taken by another program.`,
            cure: `Stop the other program, or set another port (${name}).`,
          };
  }
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
  if (typeof any !== 'number') throw new Error('No free TCP port could be found on 127.0.0.1.');
  return any;
}
