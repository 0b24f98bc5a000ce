import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import { temporaryFolder } from '../events.ts';
import type { TrinoInstall } from './trino-install.ts';

const START_LIMIT_MS = 300_000;
const HEAP = '2g';
const NAMED = 'io.trino.server.TrinoServer';

export type TrinoOptions = {
  /** Properties of the catalogue `lake`. */
  catalog: Record<string, string>;
  /** Servers beside the coordinator, which then does no work itself. */
  workers?: number;
  /** Cores that workers are held to, one each. */
  pinned?: boolean;
};

export type TrinoServer = { url: string; port: number; stop: () => Promise<void> };

const properties = (values: Record<string, string | number | boolean>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

type Node = { name: string; port: number; coordinator: string; worksToo: boolean; core?: number };

function startNode(
  { home, java }: TrinoInstall,
  { name, port, coordinator, worksToo, core }: Node,
  catalog: Record<string, string>,
) {
  const folder = temporaryFolder(`trino-${name}`);
  const etc = join(folder, 'etc');
  mkdirSync(join(etc, 'catalog'), { recursive: true });
  for (const part of ['lib', 'plugin']) symlinkSync(join(home, part), join(folder, part));
  const isCoordinator = coordinator.endsWith(`:${port}`);
  const config = {
    coordinator: isCoordinator,
    ...(isCoordinator && { 'node-scheduler.include-coordinator': worksToo }),
    'http-server.http.port': port,
    'discovery.uri': coordinator,
    'query.max-memory-per-node': '1GB',
    'query.max-memory': '2GB',
    'memory.heap-headroom-per-node': '300MB',
  };
  const node = {
    'node.environment': 'lake',
    'node.id': name,
    'node.data-dir': join(folder, 'data'),
    'node.internal-address': '127.0.0.1',
  };
  writeFileSync(join(etc, 'config.properties'), properties(config));
  writeFileSync(join(etc, 'log.properties'), 'io.trino=WARN\n');
  writeFileSync(
    join(etc, 'catalog', 'lake.properties'),
    properties({ 'connector.name': 'iceberg', ...catalog }),
  );
  const options = [
    `-Xmx${HEAP}`,
    '-XX:+UseG1GC',
    '-XX:ReservedCodeCacheSize=256M',
    '-Djdk.attach.allowAttachSelf=true',
    `-Dlog.levels-file=${etc}/log.properties`,
    `-Dconfig=${etc}/config.properties`,
    // As its launcher hands on what node.properties says.
    ...Object.entries(node).map(([name, value]) => `-D${name}=${value}`),
  ];
  const command = [java, ...options, '-cp', join(home, 'lib', '*'), NAMED];
  const out = Bun.file(join(folder, 'out.log'));
  const child = Bun.spawn(core === undefined ? command : ['taskset', '-c', `${core}`, ...command], {
    cwd: folder,
    stdout: out,
    stderr: out,
  });
  return { child, out };
}

async function isReady(url: string, workers: number): Promise<boolean> {
  try {
    const info = await fetch(`${url}/v1/info`, { signal: AbortSignal.timeout(2_000) });
    const { starting } = (await info.json()) as { starting: boolean };
    if (starting) return false;
    const nodes = await fetch(`${url}/v1/node`, { headers: { 'x-trino-user': 'test' } });
    return workers === 0 || ((await nodes.json()) as unknown[]).length >= workers;
  } catch {
    return false;
  }
}

/** A coordinator, and workers beside it, that end with `stop`. */
export async function startTrino(
  install: TrinoInstall,
  { catalog, workers = 0, pinned = false }: TrinoOptions,
): Promise<TrinoServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const coordinator = { name: 'coordinator', port, coordinator: url, worksToo: workers === 0 };
  const nodes = [startNode(install, coordinator, catalog)];
  for (let index = 0; index < workers; index += 1) {
    const node = {
      name: `worker-${index}`,
      port: await freePort(),
      coordinator: url,
      worksToo: true,
      ...(pinned && { core: index }),
    };
    nodes.push(startNode(install, node, catalog));
  }
  const children = nodes.map(({ child }) => child);
  const logs = nodes.map(({ out }) => out);
  const stop = async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map((child) => child.exited));
  };
  const startedAt = performance.now();
  while (!(await isReady(url, workers))) {
    const ended = children.some(({ exitCode }) => exitCode !== null);
    if (ended || performance.now() - startedAt > START_LIMIT_MS) {
      await stop();
      throw new Error(`Trino did not start: ${(await logs[0]?.text())?.slice(-3_000)}`);
    }
    await Bun.sleep(250);
  }
  return { url, port, stop };
}
