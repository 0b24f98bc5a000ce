import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import type { TrinoInstall } from './trino-install.ts';
import { secured, type TlsFiles } from './trino-tls.ts';
import { pause } from '../pause.ts';

const START_LIMIT_MS = 300_000;
const HEAP_MB = 2_048;
const NAMED = 'io.trino.server.TrinoServer';

export type TrinoOptions = {
  /** Properties of the catalogue `lake`; null where catalogues are made by statements. */
  catalog: Record<string, string> | null;
  /** Servers beside the coordinator, which then does no work itself. */
  workers?: number;
  /** Cores that workers are held to, one each. */
  pinned?: boolean;
  /** Of each worker. */
  heapMb?: number;
  /** A certificate, and who may ask the coordinator over TLS with which password. */
  tls?: { files: TlsFiles; user: string; password: string };
};

export type TrinoServer = {
  url: string;
  port: number;
  /** With `tls`. */
  httpsPort: number | null;
  stop: () => Promise<void>;
};

const properties = (values: Record<string, string | number | boolean>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

type Node = {
  name: string;
  port: number;
  coordinator: string;
  worksToo: boolean;
  core?: number;
  heapMb?: number;
};

async function startNode(
  { home, java }: TrinoInstall,
  { name, port, coordinator, worksToo, core, heapMb = HEAP_MB }: Node,
  { catalog, tls }: TrinoOptions,
) {
  const folder = mkdtempSync(join(tmpdir(), `trino-${name}-`));
  const etc = join(folder, 'etc');
  mkdirSync(join(etc, 'catalog'), { recursive: true });
  for (const part of ['lib', 'plugin']) symlinkSync(join(home, part), join(folder, part));
  const isCoordinator = coordinator.endsWith(`:${port}`);
  const safe =
    tls && isCoordinator ? await secured(etc, tls.files, [tls.user, tls.password]) : null;
  for (const [file, text] of Object.entries(safe?.files ?? {}))
    writeFileSync(join(etc, file), text);
  const config = {
    ...safe?.config,
    coordinator: isCoordinator,
    ...(isCoordinator && { 'node-scheduler.include-coordinator': worksToo }),
    ...(catalog === null && { 'catalog.management': 'dynamic', 'catalog.store': 'memory' }),
    'http-server.http.port': port,
    'discovery.uri': coordinator,
    // Of all servers together nothing but what each of them has.
    'query.max-memory': '64GB',
    'query.max-memory-per-node': `${Math.round(heapMb * 0.6)}MB`,
    'memory.heap-headroom-per-node': `${Math.round(heapMb / 7)}MB`,
  };
  const node = {
    'node.environment': 'lake',
    'node.id': name,
    'node.data-dir': join(folder, 'data'),
    'node.internal-address': '127.0.0.1',
  };
  writeFileSync(join(etc, 'config.properties'), properties(config));
  writeFileSync(join(etc, 'log.properties'), 'io.trino=WARN\n');
  if (catalog) {
    const named = { 'connector.name': 'iceberg', ...catalog };
    writeFileSync(join(etc, 'catalog', 'lake.properties'), properties(named));
  }
  const options = [
    `-Xmx${heapMb}m`,
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
  return { child, out, folder, httpsPort: safe?.port ?? null };
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
  options: TrinoOptions,
): Promise<TrinoServer> {
  const { workers = 0, pinned = false, heapMb } = options;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const coordinator = { name: 'coordinator', port, coordinator: url, worksToo: workers === 0 };
  const nodes = [await startNode(install, coordinator, options)];
  for (let index = 0; index < workers; index += 1) {
    const node = {
      name: `worker-${index}`,
      port: await freePort(),
      coordinator: url,
      worksToo: true,
      ...(pinned && { core: index }),
      ...(heapMb !== undefined && { heapMb }),
    };
    nodes.push(await startNode(install, node, options));
  }
  const children = nodes.map(({ child }) => child);
  const logs = nodes.map(({ out }) => out);
  const stop = async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map((child) => child.exited));
    for (const { folder } of nodes) rmSync(folder, { recursive: true, force: true });
  };
  const startedAt = performance.now();
  while (!(await isReady(url, workers))) {
    const ended = children.some(({ exitCode }) => exitCode !== null);
    if (ended || performance.now() - startedAt > START_LIMIT_MS) {
      await stop();
      throw new Error(`Trino did not start: ${(await logs[0]?.text())?.slice(-3_000)}`);
    }
    await pause(250, 'before the next look');
  }
  return { url, port, httpsPort: nodes[0]?.httpsPort ?? null, stop };
}
