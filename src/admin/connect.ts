import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createDeps } from '../app/deps.ts';
import { type Config, childEnvironment, givenSettings, loadConfig, loadPlace } from '../config.ts';
import { freePort } from '../launcher/embedded/ports.ts';
import { preparePostgres } from '../launcher/embedded/postgres.ts';
import { acquireLock } from '../launcher/lock.ts';
import { readRunning, readSameService, runningEnvironment } from '../launcher/running.ts';
import { ConfigError } from '../shared/env.ts';
import { looksPooled } from '../storage/pooler.ts';
import { requireReadable } from '../storage/release.ts';
import type { Connect } from './cli.ts';

const STOP_MS = 30_000;
const USUAL_TEMPORAL_ADDRESS = '127.0.0.1:7233';

/** Embedded PostgreSQL of a stopped service, locked meanwhile. */
async function startDatabase({ dataDir }: Config) {
  const lock = await acquireLock(dataDir);
  try {
    const options = { dataDir, port: await freePort(), durable: true, maxConnections: 20 };
    const { start, url } = await preparePostgres(options);
    const server = await start();
    const stop = async () => {
      await server.stop(STOP_MS);
      lock.release();
    };
    return { url, stop };
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

async function pastPooler(extra: Record<string, string>): Promise<Config> {
  const config = loadConfig(childEnvironment(extra));
  const { databaseUrl, databaseDirectUrl, databasePooler } = config;
  if (databaseDirectUrl !== undefined) {
    return { ...config, databaseUrl: databaseDirectUrl, databasePooler: 'none' };
  }
  if (databaseUrl === undefined || databasePooler !== undefined) return config;
  return { ...config, databasePooler: (await looksPooled(databaseUrl)) ? 'transaction' : 'none' };
}

export const connect: Connect = async ({ standsAlone }) => {
  const place = loadPlace();
  // Local settings may need the service's: EVENTS_URL its credentials.
  const published = (await readSameService(place))?.env;
  const configured = loadConfig(childEnvironment({ ...published, ...givenSettings() }));
  const running = await readRunning(place.dataDir);
  const isStopped = !configured.databaseUrl && !running;
  const hasDatabase = existsSync(join(configured.dataDir, 'postgres'));
  const alone =
    isStopped && standsAlone && hasDatabase ? await startDatabase(configured) : undefined;
  if (isStopped && !alone) {
    throw new ConfigError([
      `DATABASE_URL is not set, and no service runs on ${configured.dataDir} ("bun run start")`,
    ]);
  }
  const embedded = {
    ...(configured.temporal.address === undefined && { TEMPORAL_ADDRESS: USUAL_TEMPORAL_ADDRESS }),
    ...(await runningEnvironment(configured)),
    ...(alone && { DATABASE_URL: alone.url }),
    ...(running?.places.API !== undefined && { PUBLIC_URL: running.places.API }),
  };
  const deps = await createDeps(await pastPooler(embedded), 'admin');
  const close = async () => {
    await deps.close();
    await alone?.stop();
  };
  try {
    await requireReadable(deps.sql);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { ctx: { deps, requestId: 'admin' }, close };
};
