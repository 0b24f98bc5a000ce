import { createDeps } from '../app/deps.ts';
import { ConfigError, childEnvironment, loadConfig } from '../config.ts';
import { readRunning, runningEnvironment } from '../launcher/running.ts';
import { requireReadable } from '../storage/release.ts';
import type { Connect } from './cli.ts';

const USUAL_TEMPORAL_ADDRESS = '127.0.0.1:7233';

/** The service that the environment configures, or the embedded one that runs on `DATA_DIR`. */
export const connect: Connect = async () => {
  const configured = loadConfig();
  const running = await readRunning(configured.dataDir);
  if (!configured.databaseUrl && !running) {
    throw new ConfigError([
      `DATABASE_URL is not set, and no service runs on ${configured.dataDir} ("bun run start")`,
    ]);
  }
  const embedded = {
    // Connected to by commands that start workflows only; the others do not need one.
    ...(configured.temporal.address === undefined && { TEMPORAL_ADDRESS: USUAL_TEMPORAL_ADDRESS }),
    ...(await runningEnvironment(configured)),
    // Links lead to the port that the service has now, whatever is configured.
    ...(running?.places.API !== undefined && { PUBLIC_URL: running.places.API }),
  };
  const deps = await createDeps(loadConfig(childEnvironment(embedded)), 'admin');
  try {
    await requireReadable(deps.sql);
  } catch (thrown) {
    await deps.close();
    throw thrown;
  }
  return { ctx: { deps, requestId: 'admin' }, close: deps.close };
};
