import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export function shuffle<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((value) => ({ value, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
}

/** Occupies `count` cores until the returned function is called. */
export function startBusyLoops(count: number): () => void {
  const loops = Array.from({ length: count }, () =>
    Bun.spawn([process.execPath, '-e', 'while (process.ppid > 1);'], { stdio: [null, null, null] }),
  );
  return () => {
    for (const loop of loops) loop.kill('SIGKILL');
  };
}

const LONGEST_PAUSE_MS = 20;

/** Passes on what comes in the order it came, each chunk after a random pause. */
function forward(from: Socket, to: Socket, random: () => number): void {
  let last = Promise.resolve();
  const later = (work: () => void) => {
    last = last.then(() => Bun.sleep(random() * LONGEST_PAUSE_MS)).then(work);
  };
  from.on('data', (bytes) => later(() => to.write(bytes)));
  from.on('end', () => later(() => to.end()));
  from.on('error', () => from.destroy());
  from.on('close', () => later(() => to.destroy()));
}

/** A proxy on this machine that delays each message both ways; returns its port. */
async function startDelays(
  target: { hostname: string; port: number },
  random: () => number,
): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: target.hostname, port: target.port, allowHalfOpen: true });
    for (const socket of [client, upstream]) socket.setNoDelay(true);
    forward(client, upstream, random);
    forward(upstream, client, random);
  });
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was assigned.');
  return (address satisfies AddressInfo).port;
}

/** The servers' environment with a delaying proxy before each of them. */
export async function delayServers(
  env: Readonly<Record<string, string>>,
  random: () => number,
): Promise<Record<string, string>> {
  const { TEST_DATABASE_URL: databaseUrl, TEST_TEMPORAL_ADDRESS: temporal } = env;
  const delayed = { ...env };
  if (databaseUrl !== undefined) {
    const url = new URL(databaseUrl);
    const port = await startDelays({ hostname: url.hostname, port: Number(url.port) }, random);
    url.host = `127.0.0.1:${port}`;
    delayed.TEST_DATABASE_URL = url.toString();
  }
  if (temporal !== undefined) {
    const { hostname, port } = new URL(`tcp://${temporal}`);
    delayed.TEST_TEMPORAL_ADDRESS = `127.0.0.1:${await startDelays({ hostname, port: Number(port) }, random)}`;
  }
  return delayed;
}
