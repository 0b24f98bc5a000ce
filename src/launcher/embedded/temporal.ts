import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { at } from '../../shared/assert.ts';
import { SEARCH_ATTRIBUTE_NAMES } from '../../temporal/contracts/search-attributes.ts';
import { logTail, type Server, startServer } from './server.ts';
import { namespaceAnswers } from './temporal-ready.ts';

export type TemporalPorts = { grpc: number; http: number; metrics: number; ui: number | null };

export type TemporalOptions = {
  cliPath: string;
  /** Holds the log, and the database unless `databaseFile` is null (then it is in memory). */
  dataDir: string;
  databaseFile: string | null;
  ports: TemporalPorts;
  namespaces: readonly string[];
  /** Where the UI decodes encrypted payloads. */
  codecEndpoint?: string | undefined;
  /** Called with the pid before the server is ready. */
  onSpawn?: ((pid: number) => void) | undefined;
};

const SEARCH_ATTRIBUTES = Object.values(SEARCH_ATTRIBUTE_NAMES).map((name) => `${name}=Keyword`);
/** Measured: the defaults carry 26 one-activity workflows a second, these 41 to 64. */
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=normal'];
const READY_WITHIN_MS = 60_000;

const repeated = (flag: string, values: readonly string[]) =>
  values.flatMap((value) => [flag, value]);

/**
 * The HTTP API has no authentication and would accept requests of any web page in a local browser. It
 * cannot be switched off, so it answers to an unguessable host name only.
 */
const unguessableHost = () => `${randomBytes(24).toString('hex')}.invalid`;

function command(options: TemporalOptions): string[] {
  const { ports, databaseFile, codecEndpoint } = options;
  return [
    options.cliPath,
    'server',
    'start-dev',
    ...['--ip', '127.0.0.1', '--log-level', 'warn'],
    ...['--port', String(ports.grpc), '--http-port', String(ports.http)],
    ...['--metrics-port', String(ports.metrics)],
    ...(ports.ui === null ? ['--headless'] : ['--ui-port', String(ports.ui)]),
    ...(databaseFile === null ? [] : ['--db-filename', databaseFile]),
    ...(databaseFile === null ? [] : repeated('--sqlite-pragma', SQLITE_PRAGMAS)),
    ...['--dynamic-config-value', `frontend.httpAllowedHosts=["${unguessableHost()}"]`],
    ...(codecEndpoint ? ['--ui-codec-endpoint', codecEndpoint] : []),
    ...repeated('--search-attribute', SEARCH_ATTRIBUTES),
    ...repeated('--namespace', options.namespaces),
  ];
}

async function waitUntilReady(server: Server, options: TemporalOptions, logPath: string) {
  const deadline = performance.now() + READY_WITHIN_MS;
  const last = at(options.namespaces, options.namespaces.length - 1);
  let ended = false;
  void server.exited.then(() => {
    ended = true;
  });
  while (!(await namespaceAnswers(options.ports.grpc, last))) {
    if (ended) throw new Error(`The Temporal server did not start:\n${await logTail(logPath)}`);
    if (performance.now() > deadline) {
      await server.stop(1_000);
      throw new Error(`The Temporal server was not ready after ${READY_WITHIN_MS / 1_000} s.`);
    }
    await Bun.sleep(50);
  }
}

/** Starts the Temporal development server and waits until its last namespace answers. */
export async function startTemporal(options: TemporalOptions): Promise<Server> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const logPath = join(options.dataDir, 'temporal.log');
  const server = startServer({
    command: command(options),
    cwd: options.dataDir,
    logPath,
    stopSignal: 'SIGTERM',
    // Hides the operator's own CLI profile.
    env: { HOME: options.dataDir },
  });
  options.onSpawn?.(server.pid);
  await waitUntilReady(server, options, logPath);
  return server;
}
