import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { postgresAccount } from '../../shared/account.ts';
import { makeFolder, writeDurably } from '../../storage/files.ts';
import { type PostgresBinaries, postgresBinaries } from './binaries.ts';
import {
  checkMajor,
  createCluster,
  DATABASE,
  dataFolderArgument,
  SUPERUSER,
} from './postgres-cluster.ts';
import { settlePredecessor } from './postgres-predecessor.ts';
import { type Server, startServer, waitUntilReady } from './server.ts';

export type PostgresOptions = {
  dataDir: string;
  port: number;
  /** A machine crash may lose the cluster. */
  durable: boolean;
  maxConnections: number;
  env?: Record<string, string>;
};

export type PreparedPostgres = {
  url: string;
  start: (onSpawn?: (pid: number) => void) => Promise<Server>;
};

async function password(dataDir: string): Promise<string> {
  const path = join(dataDir, 'postgres.password');
  if (existsSync(path)) return (await Bun.file(path).text()).trim();
  const generated = randomBytes(24).toString('hex');
  await writeDurably(path, Buffer.from(`${generated}\n`));
  return generated;
}

function command(options: PostgresOptions, binaries: PostgresBinaries, folder: string): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: options.maxConnections,
    // Small, for a fast start; large installations bring their own server.
    shared_buffers: '64MB',
    log_min_messages: 'warning',
    // Our own log has failed statements, without their values.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    ...(options.durable
      ? {}
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return [binaries.postgres, '-D', folder, '-p', String(options.port), ...flags];
}

/** The eighth line of `postmaster.pid` reads `ready`. */
async function isReady(cluster: string, pid: number): Promise<boolean> {
  const text = await Bun.file(join(cluster, 'postmaster.pid'))
    .text()
    .catch(() => '');
  const lines = text.split('\n');
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

export async function preparePostgres(options: PostgresOptions): Promise<PreparedPostgres> {
  const { dataDir } = options;
  const account = postgresAccount();
  const binaries = await postgresBinaries(account);
  const cluster = join(dataDir, 'postgres');
  makeFolder(dataDir);
  const secret = await password(dataDir);
  if (existsSync(cluster)) await checkMajor(cluster, binaries);
  else await createCluster({ folder: cluster, password: secret, binaries, account });
  const logPath = join(dataDir, 'postgres.log');
  const start = async (onSpawn?: (pid: number) => void) => {
    await settlePredecessor(cluster);
    const server = startServer({
      command: command(options, binaries, dataFolderArgument(cluster, account)),
      cwd: cluster,
      logPath,
      stopSignal: 'SIGINT',
      account,
      ...(options.env && { env: options.env }),
    });
    onSpawn?.(server.pid);
    const ready = () => isReady(cluster, server.pid);
    await waitUntilReady(server, { name: 'PostgreSQL', logPath, isReady: ready });
    return server;
  };
  return { url: `postgres://${SUPERUSER}:${secret}@127.0.0.1:${options.port}/${DATABASE}`, start };
}
