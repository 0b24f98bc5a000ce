import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServers } from '../../scripts/test/servers.ts';
import type { ProcessRole } from '../../src/config.ts';
import { niced } from '../../src/launcher/bun-process.ts';
import { runtimeSettings } from '../../src/launcher/runtime-settings.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { PLACES } from '../../test/support/places.ts';

export type BenchServers = {
  /** Environment for the service's own processes: database, Temporal, keys, a data folder. */
  env: Record<string, string>;
  dataDir: string;
};

/** Throw-away servers for one benchmark, gone when `work` is done. */
export async function withServers(
  needs: readonly ('postgres' | 'temporal')[],
  work: (servers: BenchServers) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cp-bench-'));
  const servers = await startServers({
    needs: new Set(needs),
    namespaces: ['default'],
    runDir: dataDir,
  });
  try {
    const databaseUrl = servers.env.TEST_DATABASE_URL;
    if (databaseUrl) {
      const sql = createSql(databaseUrl, { maxConnections: 1, applicationName: 'bench' });
      await migrate(sql);
      await sql.end();
    }
    await work({
      dataDir,
      env: {
        ...PLACES,
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl ?? '',
        TEMPORAL_ADDRESS: servers.env.TEST_TEMPORAL_ADDRESS ?? '127.0.0.1:1',
        AUTH_SECRET: 'a-secret-for-benchmarks-0123456789abcdef',
        SECRETS_KEY: Buffer.alloc(32, 3).toString('base64'),
        LOG_LEVEL: 'warn',
        RATE_LIMIT_SCALE: '1000000',
      },
    });
  } finally {
    await servers.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export type BenchProcess = { pid: number; address: string; stop: () => Promise<void> };

const PROCESSES = join(import.meta.dir, '../../src/app/processes');

/** Runs a process of the service, as the supervisor does, until `stop`. */
export function startRole(role: ProcessRole, env: Record<string, string>): Promise<BenchProcess> {
  return startProcess(join(PROCESSES, `${role}.ts`), env, role);
}

/**
 * Runs a process of a benchmark with the settings and the priority of one of the service, beside
 * which it is measured; `address` is what it printed.
 */
export async function startProcess(
  entry: string,
  env: Record<string, string>,
  role: ProcessRole = 'api',
): Promise<BenchProcess> {
  const givesWay = role === 'query';
  const ready = Promise.withResolvers<string>();
  const command = [process.execPath, entry];
  const child = Bun.spawn(givesWay ? niced(command) : command, {
    // In a session of its own, as under the supervisor.
    detached: true,
    env: { PORT: '0', ...runtimeSettings(role), ...env },
    stdout: 'inherit',
    stderr: 'inherit',
    ipc: (message) => {
      if (message?.details) ready.resolve(message.details.address ?? '');
    },
    onExit: (_process, code) => ready.reject(new Error(`${entry} ended with ${code}.`)),
  });
  const address = await ready.promise;
  return {
    pid: child.pid,
    address,
    stop: async () => {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}
