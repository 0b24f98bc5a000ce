import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parentOf } from '../../src/shared/threads.ts';
import { loadConfig } from '../../src/config.ts';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { preparePostgres } from '../../src/launcher/embedded/postgres.ts';
import type { Server } from '../../src/launcher/embedded/server.ts';
import { startTemporal } from '../../src/launcher/embedded/temporal.ts';
import { findTemporalCli } from '../../src/launcher/embedded/temporal-cli.ts';

/** A server that belongs to the test, as an operator's own does: nobody else starts it again. */
export type OwnServer = {
  start: () => Promise<void>;
  /** SIGKILL; from then on connections are refused. */
  kill: () => Promise<void>;
  /** SIGKILL, and its disk is gone: it starts again as a new one, at the same address. */
  lose: () => Promise<void>;
  /** SIGSTOP for it and its helpers: connections stay open, and nothing is answered. */
  freeze: () => void;
  thaw: () => void;
};

export type OwnServers = {
  /** For an instance beside them, and for the commands of an operator. */
  env: Record<string, string> & { DATABASE_URL: string; TEMPORAL_ADDRESS: string };
  postgres: OwnServer;
  temporal: OwnServer;
};

/** A process and those that it has started itself. */
function family(pid: number): number[] {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((one) => one > 0 && parentOf(one) === pid);
  return [pid, ...children];
}

async function ownServer(start: () => Promise<Server>, disk: string): Promise<OwnServer> {
  let server: Server | undefined = await start();
  const frozen: number[] = [];
  const kill = async () => {
    server?.kill('SIGKILL');
    await server?.exited;
    server = undefined;
  };
  return {
    start: async () => {
      server ??= await start();
    },
    kill,
    lose: async () => {
      await kill();
      await rm(disk, { recursive: true });
    },
    freeze: () => {
      if (server === undefined) return;
      // The parent first, so that it starts no further helper.
      process.kill(server.pid, 'SIGSTOP');
      frozen.push(...family(server.pid));
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    },
    thaw: () => {
      for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
    },
  };
}

/**
 * PostgreSQL and Temporal on disk below `dir`, apart from the instance that is told of them;
 * `postgresEnv` is all that PostgreSQL has in its environment.
 */
export async function startOwnServers(
  dir: string,
  postgresEnv: Record<string, string> = {},
): Promise<OwnServers> {
  const options = { dataDir: dir, port: await freePort(), durable: true, maxConnections: 100 };
  const prepare = () => preparePostgres({ ...options, env: postgresEnv });
  const { url } = await prepare();
  const cliPath = await findTemporalCli(loadConfig(process.env).temporal, console.log);
  const [grpc, http, metrics] = [await freePort(), await freePort(), await freePort()];
  const dataDir = join(dir, 'temporal');
  const startOwnTemporal = () =>
    startTemporal({
      cliPath,
      dataDir,
      databaseFile: join(dataDir, 'temporal.db'),
      ports: { grpc, http, metrics },
      ui: null,
      namespaces: ['default'],
    });
  return {
    env: {
      DATABASE_URL: url,
      TEMPORAL_ADDRESS: `127.0.0.1:${grpc}`,
      AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
      SECRETS_KEY: Buffer.alloc(32, 5).toString('base64'),
    },
    postgres: await ownServer(async () => (await prepare()).start(), join(dir, 'postgres')),
    temporal: await ownServer(startOwnTemporal, dataDir),
  };
}
