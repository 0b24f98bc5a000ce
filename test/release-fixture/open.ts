import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import type { Server } from '../../src/launcher/embedded/server.ts';
import { startOnCache } from '../../src/launcher/embedded/temporal-cache.ts';
import { findTemporalCli } from '../../src/launcher/embedded/temporal-cli.ts';
import type { Logger } from '../../src/observability/log.ts';
import type { DatabaseDump } from '../../src/storage/dump/dump.ts';
import { loadDatabase } from '../../src/storage/dump/load.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { archivePath, DUMP, type Facts, factsPath, type Mode, PARTS } from './facts.ts';

export type OpenedFixture = {
  facts: Facts;
  dataDir: string;
  /** Migrations that the release did not have. */
  migrated: string[];
  startTemporal: () => Promise<{ address: string; server: Server }>;
};

async function unpack(archive: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const child = Bun.spawn(['tar', '-xzf', archive, '-C', to], { stderr: 'inherit' });
  if ((await child.exited) !== 0) throw new Error(`${archive} cannot be unpacked.`);
}

const neverMoved = {
  warn: (_: unknown, text: string) => {
    throw new Error(text);
  },
} as unknown as Logger;

/**
 * A copy of what the release left, in `dir` and in `database`; today's migrations are applied unless
 * it stays `asItWas`.
 */
export async function openFixture(
  release: string,
  mode: Mode,
  { dir, database, asItWas = false }: { dir: string; database: TestDatabase; asItWas?: boolean },
): Promise<OpenedFixture> {
  await unpack(archivePath(release, mode), dir);
  const facts: Facts = await Bun.file(factsPath(release, mode)).json();
  const dump: DatabaseDump = await Bun.file(join(dir, DUMP)).json();
  const folder = join(dir, PARTS.database);
  const migrated = await loadDatabase(database.sql, folder, dump, undefined, { asItWas });
  const dataDir = join(dir, PARTS.data);
  return {
    facts,
    dataDir,
    migrated,
    startTemporal: async () => {
      const [grpc, http, metrics] = [await freePort(), await freePort(), await freePort()];
      const temporal = join(dir, 'temporal');
      const options = {
        cliPath: await findTemporalCli(loadConfig(process.env).temporal, console.log),
        dataDir: temporal,
        databaseFile: join(temporal, 'temporal.db'),
        ports: { grpc, http, metrics },
        ui: null,
        namespaces: ['default'],
      };
      await mkdir(temporal, { recursive: true });
      await rename(join(dir, PARTS.temporal), options.databaseFile);
      const stopping = new AbortController().signal;
      const server = await startOnCache(options, { log: neverMoved, stopping });
      return { address: `127.0.0.1:${grpc}`, server };
    },
  };
}
