import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { preparePostgres } from '../../src/launcher/embedded/postgres.ts';
import { startTemporal } from '../../src/launcher/embedded/temporal.ts';
import { findTemporalCli } from '../../src/launcher/embedded/temporal-cli.ts';
import { ROOT } from '../install.ts';
import { containersWanted, startContainers } from './containers.ts';
import { preparePgbouncer } from './pgbouncer.ts';
import type { ServerName } from './select.ts';

export type TestServers = {
  env: Record<string, string>;
  stop: () => Promise<void>;
};

export type ServerPlan = {
  needs: ReadonlySet<ServerName>;
  /** One for each test file, so that suites do not see each other's workflows. */
  namespaces: readonly string[];
  runDir: string;
  pooler?: boolean;
};

const MAX_CONNECTIONS = 300;

async function startPostgres({ runDir, pooler = false }: ServerPlan): Promise<TestServers> {
  const prepared = await preparePostgres({
    dataDir: join(runDir, 'postgres'),
    port: await freePort(),
    durable: false,
    maxConnections: MAX_CONNECTIONS,
  });
  const server = await prepared.start();
  const env = { TEST_DATABASE_URL: prepared.url };
  if (!pooler) return { env, stop: () => server.stop(5_000) };
  const { start, url } = await preparePgbouncer(join(runDir, 'pgbouncer'), prepared.url);
  const between = await start();
  const stop = async () => {
    await between.stop(1_000);
    await server.stop(5_000);
  };
  return { env: { ...env, TEST_POOLER_URL: url }, stop };
}

async function startTemporalServer(plan: ServerPlan): Promise<TestServers> {
  const { temporal } = loadConfig(process.env);
  const cliPath = await findTemporalCli(temporal, console.log);
  const [grpc, http, metrics] = [await freePort(), await freePort(), await freePort()];
  const server = await startTemporal({
    cliPath,
    dataDir: join(plan.runDir, 'temporal'),
    databaseFile: null,
    ports: { grpc, http, metrics },
    ui: null,
    namespaces: plan.namespaces,
  });
  return {
    env: { TEST_TEMPORAL_ADDRESS: `127.0.0.1:${grpc}` },
    stop: () => server.stop(3_000),
  };
}

/** Once for all starts of the service; without it they run the sources. */
async function buildBundle(): Promise<void> {
  const build = Bun.spawn([process.execPath, join(ROOT, 'src/launcher/bundle/build.ts')]);
  if ((await build.exited) !== 0) console.log('The service could not be bundled.');
}

/** Starts what the selected tests need, and nothing else. */
export async function startServers(plan: ServerPlan): Promise<TestServers> {
  if (plan.needs.has('bundle')) await buildBundle();
  if (await containersWanted()) return startContainers(plan);
  const starts: Promise<TestServers>[] = [];
  if (plan.needs.has('postgres')) starts.push(startPostgres(plan));
  if (plan.needs.has('temporal')) starts.push(startTemporalServer(plan));
  const results = await Promise.allSettled(starts);
  const started = results.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value] : [],
  );
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
  };
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) {
    await stop();
    throw failure.reason;
  }
  return { env: Object.assign({}, ...started.map((server) => server.env)), stop };
}
