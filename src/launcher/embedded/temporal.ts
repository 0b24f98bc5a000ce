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
  dataDir: string;
  databaseFile: string | null;
  ports: TemporalPorts;
  ui: UiAddress | null;
  namespaces: readonly string[];
  codecEndpoint?: string | undefined;
  onSpawn?: ((pid: number) => void) | undefined;
};

const SEARCH_ATTRIBUTES = Object.values(SEARCH_ATTRIBUTE_NAMES).map((name) => `${name}=Keyword`);
/** Workflows a second: 26 by default, 41 to 64 with these. */
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=normal'];

const repeated = (flag: string, values: readonly string[]) =>
  values.flatMap((value) => [flag, value]);

/** The HTTP API has no authentication and cannot be disabled. */
const unguessableHost = () => `${randomBytes(24).toString('hex')}.invalid`;

/** Process arguments are public. JSON is valid YAML. */
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
