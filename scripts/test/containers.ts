import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { SEARCH_ATTRIBUTE_NAMES } from '../../src/temporal/contracts/search-attributes.ts';
import { TEMPORAL_CLI_VERSION } from '../../src/launcher/embedded/temporal-version.ts';
import type { ServerPlan, TestServers } from './servers.ts';

const POSTGRES_IMAGE = 'postgres:18.4';
const TEMPORAL_IMAGE = `temporalio/temporal:${TEMPORAL_CLI_VERSION}`;
const PASSWORD = 'test';

/** `TEST_CONTAINERS=1` and a Docker engine that answers. */
export async function containersWanted(): Promise<boolean> {
  if (process.env.TEST_CONTAINERS !== '1') return false;
  const docker = Bun.which('docker');
  if (docker && Bun.spawnSync([docker, 'info'], { stderr: 'ignore' }).exitCode === 0) return true;
  console.log('not run: containers (no Docker engine answers); the embedded servers are used.');
  return false;
}

function startPostgres(): Promise<StartedTestContainer> {
  return new GenericContainer(POSTGRES_IMAGE)
    .withEnvironment({ POSTGRES_PASSWORD: PASSWORD, POSTGRES_DB: 'control_plane' })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2))
    .start();
}

function startTemporal(namespaces: readonly string[]): Promise<StartedTestContainer> {
  const flags = Object.values(SEARCH_ATTRIBUTE_NAMES).flatMap((name) => [
    '--search-attribute',
    `${name}=Keyword`,
  ]);
  return new GenericContainer(TEMPORAL_IMAGE)
    .withCommand([
      ...['server', 'start-dev', '--ip', '0.0.0.0', '--headless', ...flags],
      ...namespaces.flatMap((name) => ['--namespace', name]),
    ])
    .withExposedPorts(7233)
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
}

/** The same servers as containers; Ryuk removes them when this process dies. */
export async function startContainers(plan: ServerPlan): Promise<TestServers> {
  const env: Record<string, string> = {};
  const started: StartedTestContainer[] = [];
  if (plan.needs.has('postgres')) {
    const container = await startPostgres();
    started.push(container);
    const place = `${container.getHost()}:${container.getMappedPort(5432)}`;
    env.TEST_DATABASE_URL = `postgres://postgres:${PASSWORD}@${place}/control_plane`;
  }
  if (plan.needs.has('temporal')) {
    const container = await startTemporal(plan.namespaces);
    started.push(container);
    env.TEST_TEMPORAL_ADDRESS = `${container.getHost()}:${container.getMappedPort(7233)}`;
  }
  return {
    env,
    stop: async () => {
      await Promise.all(started.map((container) => container.stop()));
    },
  };
}
