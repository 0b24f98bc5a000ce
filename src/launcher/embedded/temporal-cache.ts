import { Database } from 'bun:sqlite';
import { existsSync, statSync } from 'node:fs';
import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../observability/log.ts';
import { errorMessage } from '../../shared/errors.ts';
import { isMissing } from '../../storage/files.ts';
import { freePort, isFree } from './ports.ts';
import type { Server } from './server.ts';
import { startTemporal, type TemporalOptions } from './temporal.ts';
import { cliVersion } from './temporal-cli.ts';
import { completeSchema } from './temporal-schema.ts';

/** About a second of reading. */
const CHECKED_BYTES = 256 * 1024 * 1024;

/** Null for a sound one, a missing one, or one too large to check. */
function databaseFault(path: string): unknown {
  try {
    const { size } = statSync(path);
    if (size === 0 || size > CHECKED_BYTES) return null;
    using database = new Database(path, { readwrite: true });
    const [[finding] = []] = database.query('PRAGMA quick_check(1)').values();
    return finding === 'ok' ? null : new Error(String(finding));
  } catch (thrown) {
    return isMissing(thrown) ? null : thrown;
  }
}

async function havePorts({ ports }: TemporalOptions): Promise<boolean> {
  const free = await Promise.all(Object.values(ports).map((port) => isFree(port)));
  return !free.includes(false);
}

type CacheOptions = TemporalOptions & { databaseFile: string };

const STOP_GRACE_MS = 5_000;

/** A database of another program first gets what a new one of this program has. */
async function completeDatabase(options: CacheOptions): Promise<void> {
  const dataDir = join(options.dataDir, 'reference');
  const databaseFile = join(dataDir, 'temporal.db');
  await rm(dataDir, { recursive: true, force: true });
  // Apart from workers that still run.
  const ports = { grpc: await freePort(), http: await freePort(), metrics: await freePort() };
  const server = await startTemporal({ ...options, dataDir, databaseFile, ports, ui: null });
  await server.stop(STOP_GRACE_MS);
  completeSchema(options.databaseFile, databaseFile);
  await rm(dataDir, { recursive: true });
}

async function startRecorded(options: CacheOptions): Promise<Server> {
  const path = join(options.dataDir, 'program');
  const version = await cliVersion(options.cliPath);
  const last = await readFile(path, 'utf8').catch(() => null);
  const isSame = version === null || last === version;
  if (!isSame && existsSync(options.databaseFile)) await completeDatabase(options);
  const server = await startTemporal(options);
  if (version !== null) await writeFile(path, version).catch(() => undefined);
  return server;
}

type CacheContext = { log: Logger; stopping: AbortSignal };

/** The reconciler makes runs again from PostgreSQL, so an unusable folder is moved aside. */
export async function startOnCache(
  options: CacheOptions,
  { log, stopping }: CacheContext,
): Promise<Server> {
  const { dataDir, databaseFile } = options;
  let fault = databaseFault(databaseFile);
  if (fault === null) {
    try {
      return await startRecorded(options);
    } catch (thrown) {
      if (stopping.aborted || !(await havePorts(options))) throw thrown;
      fault = thrown;
    }
  }
  const movedTo = `${dataDir}.damaged`;
  await rm(movedTo, { recursive: true, force: true });
  await rename(dataDir, movedTo);
  try {
    const server = await startRecorded(options);
    await copyFile(join(movedTo, 'ports.json'), join(dataDir, 'ports.json')).catch(() => undefined);
    const reason = errorMessage(fault).split('\n').at(-1);
    log.warn({ movedTo, reason }, "Temporal's database was unusable and moved aside; runs restart");
    return server;
  } catch (thrown) {
    await rm(dataDir, { recursive: true, force: true });
    await rename(movedTo, dataDir);
    throw thrown;
  }
}
