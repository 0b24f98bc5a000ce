import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { at } from '../../shared/assert.ts';
import { SEARCH_ATTRIBUTE_NAMES } from '../../temporal/contracts/search-attributes.ts';
import { type Server, startServer, waitUntilReady } from './server.ts';
import { namespaceState } from './temporal-ready.ts';
import type { UiAddress } from './temporal-ui.ts';

export type TemporalPorts = { grpc: number; http: number; metrics: number };

export type TemporalOptions = {
  cliPath: string;
  /** Holds the log, and the database unless `databaseFile` is null (then it is in memory). */
  dataDir: string;
  databaseFile: string | null;
  ports: TemporalPorts;
  /** Where the UI listens, behind its proxy; null for none. */
  ui: UiAddress | null;
  namespaces: readonly string[];
  /** Where the UI decodes encrypted payloads. */
  codecEndpoint?: string | undefined;
  /** Called with the pid before the server is ready. */
  onSpawn?: ((pid: number) => void) | undefined;
};

const SEARCH_ATTRIBUTES = Object.values(SEARCH_ATTRIBUTE_NAMES).map((name) => `${name}=Keyword`);
/** Measured: the defaults carry 26 one-activity workflows a second, these 41 to 64. */
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=normal'];

const repeated = (flag: string, values: readonly string[]) =>
  values.flatMap((value) => [flag, value]);

/**
 * The HTTP API has no authentication and would accept requests of any web page in a local browser. It
 * cannot be switched off, so it answers to an unguessable host name only.
 */
const unguessableHost = () => `${randomBytes(24).toString('hex')}.invalid`;

/**
 * Flags that nobody else may know: every account reads the arguments of a process. The file is
 * JSON, which is YAML too.
 */
async function writeSecretFlags({ dataDir, ui, codecEndpoint }: TemporalOptions): Promise<string> {
  const path = join(dataDir, 'flags.yaml');
  const flags = {
    'dynamic-config-value': `frontend.httpAllowedHosts=["${unguessableHost()}"]`,
    ...(ui !== null && { 'ui-ip': ui.host }),
    ...(codecEndpoint !== undefined && { 'ui-codec-endpoint': codecEndpoint }),
  };
  await rm(path, { force: true });
  await writeFile(path, JSON.stringify({ env: { default: flags } }), { mode: 0o600, flag: 'wx' });
  return path;
}

function command(options: TemporalOptions, flagsPath: string): string[] {
  const { ports, databaseFile, ui } = options;
  return [
    options.cliPath,
    'server',
    'start-dev',
    ...['--env-file', flagsPath, '--env', 'default'],
    ...['--ip', '127.0.0.1', '--log-level', 'warn'],
    ...['--port', String(ports.grpc), '--http-port', String(ports.http)],
    ...['--metrics-port', String(ports.metrics)],
    ...(ui === null ? ['--headless'] : ['--ui-port', String(ui.port)]),
    ...(databaseFile === null
      ? []
      : ['--db-filename', databaseFile, ...repeated('--sqlite-pragma', SQLITE_PRAGMAS)]),
    ...repeated('--search-attribute', SEARCH_ATTRIBUTES),
    ...repeated('--namespace', options.namespaces),
  ];
}

/** Starts the Temporal development server and waits until its last namespace answers. */
export async function startTemporal(options: TemporalOptions): Promise<Server> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const logPath = join(options.dataDir, 'temporal.log');
  const server = startServer({
    command: command(options, await writeSecretFlags(options)),
    cwd: options.dataDir,
    logPath,
    stopSignal: 'SIGTERM',
    // Hides the operator's own CLI profile.
    env: { HOME: options.dataDir },
  });
  options.onSpawn?.(server.pid);
  const last = at(options.namespaces, options.namespaces.length - 1);
  const isReady = async () => (await namespaceState(options.ports.grpc, last)) === 'there';
  await waitUntilReady(server, { name: 'The Temporal server', logPath, isReady });
  return server;
}
