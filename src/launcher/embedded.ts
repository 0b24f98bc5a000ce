import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Logger } from '../observability/log.ts';
import { parentOf } from '../shared/threads.ts';
import { SECOND_MS, sleep } from '../shared/time.ts';
import { preparePostgres } from './embedded/postgres.ts';
import { processesIn, signal } from './embedded/postgres-predecessor.ts';
import type { Server } from './embedded/server.ts';
import type { TemporalPorts } from './embedded/temporal.ts';
import { startOnCache } from './embedded/temporal-cache.ts';
import { namespaceState } from './embedded/temporal-ready.ts';
import { answersPostgres, watchAnswers } from './watch-answers.ts';
import { hiddenUiAddress, startUiProxy, type UiProxy } from './embedded/temporal-ui.ts';
import type { ChildRecords } from './records.ts';
import { RememberedPorts, withFreePorts } from './remembered-ports.ts';
import { type Supervised, supervise } from './supervised.ts';

const MAX_CONNECTIONS = 200;
const NAMESPACE_CHECK_MS = 2 * SECOND_MS;
const NAMESPACE_GRACE_MS = SECOND_MS;
const UI_PORT = 8233;

export type LauncherContext = {
  config: Config;
  log: Logger;
  records: ChildRecords;
  stopping: AbortSignal;
};

type Start = (onSpawn: (pid: number) => void) => Promise<Server>;

export function serverEnvironment(
  postgres: SupervisedPostgres | undefined,
  temporal: SupervisedTemporal | undefined,
): Record<string, string> {
  return {
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    ...(temporal
      ? {
          TEMPORAL_ADDRESS: `127.0.0.1:${temporal.ports.grpc}`,
          ...(temporal.ui === null ? {} : { TEMPORAL_UI_PORT: String(temporal.ports.ui) }),
          TEMPORAL_CODEC_PORT: String(temporal.ports.codec),
          TEMPORAL_CODEC_TOKEN: temporal.codecToken,
        }
      : {}),
  };
}

type Recorded = {
  name: string;
  stopSignal: 'SIGINT' | 'SIGTERM';
  start: Start;
  answers: () => Promise<boolean>;
  helpers?: () => readonly number[];
};

/** SIGKILL costs neither anything: PostgreSQL recovers, Temporal's database is a cache. */
function recorded({ log, records, stopping }: LauncherContext, options: Recorded) {
  const { name, stopSignal, start, answers, helpers = () => [] } = options;
  return async (): Promise<Server> => {
    const server = await start((pid) => records.add(name, pid, stopSignal));
    const { pid } = server;
    const ended = new AbortController();
    // Others may work in its folder.
    const pids = () => [pid, ...helpers().filter((helper) => parentOf(helper) === pid)];
    const onStuck = (why: string) => {
      log.error({ process: name, pid, why }, 'process is stuck; ending it');
      for (const one of pids()) signal(one, 'SIGKILL');
    };
    void watchAnswers({ pids, answers, onStuck }, AbortSignal.any([ended.signal, stopping]));
    void server.exited.then(() => {
      ended.abort();
      records.remove(name);
    });
    return server;
  };
}

export type SupervisedPostgres = { server: Supervised; url: string };

export function supervisePostgres(context: LauncherContext): Promise<SupervisedPostgres> {
  const { dataDir } = context.config;
  const choose = async () => {
    const ports = await RememberedPorts.open(join(dataDir, 'postgres.port.json'));
    const port = await ports.pick('postgres');
    await ports.save();
    return port;
  };
  return withFreePorts(choose, async (port) => {
    const prepared = await preparePostgres({
      dataDir,
      port,
      durable: true,
      maxConnections: MAX_CONNECTIONS,
    });
    const start = recorded(context, {
      ...{ name: 'postgres', stopSignal: 'SIGINT', start: prepared.start },
      answers: () => answersPostgres(port),
      helpers: () => processesIn(join(dataDir, 'postgres')),
    });
    return { server: await supervise('postgres', start, context), url: prepared.url };
  });
}

export type SupervisedTemporal = {
  server: Supervised;
  ports: AllPorts;
  /** Null where foreign pages could reach the UI. */
  ui: UiProxy | null;
  codecToken: string;
};

/** `codec`: the worker's decoder for the UI. */
type AllPorts = TemporalPorts & { ui: number; codec: number };

async function chooseTemporalPorts(path: string, uiPort: number | undefined): Promise<AllPorts> {
  const ports = await RememberedPorts.open(path);
  const configured =
    uiPort === undefined ? undefined : { variable: 'TEMPORAL_UI_PORT', port: uiPort };
  const chosen = {
    grpc: await ports.pick('grpc'),
    http: await ports.pick('http'),
    metrics: await ports.pick('metrics'),
    ui: await ports.pick('ui', { configured, preferred: UI_PORT }),
    codec: await ports.pick('codec'),
  };
  await ports.save();
  return chosen;
}

/** Only a start creates it. Seen twice, as a starting server lacks it too. */
async function watchNamespace(
  { config, log, stopping }: LauncherContext,
  { server, port }: { server: Supervised; port: number },
): Promise<void> {
  const { namespace } = config.temporal;
  let missed = 0;
  while (!stopping.aborted) {
    await sleep(NAMESPACE_CHECK_MS, stopping);
    missed = (await namespaceState(port, namespace)) === 'gone' ? missed + 1 : 0;
    if (missed < 2 || stopping.aborted) continue;
    log.error({ namespace }, 'the Temporal namespace is gone; restarting Temporal to recreate it');
    await server.restart(NAMESPACE_GRACE_MS);
    missed = 0;
  }
}

export function superviseTemporal(
  context: LauncherContext,
  cliPath: string,
): Promise<SupervisedTemporal> {
  const { dataDir, temporal } = context.config;
  const folder = join(dataDir, 'temporal');
  const choose = () => chooseTemporalPorts(join(folder, 'ports.json'), temporal.uiPort);
  const codecToken = temporal.codecToken ?? randomBytes(24).toString('hex');
  return withFreePorts(choose, async (ports) => {
    const ui = await hiddenUiAddress();
    const options = {
      ...{ cliPath, dataDir: folder, databaseFile: join(folder, 'temporal.db'), ui },
      ports: { grpc: ports.grpc, http: ports.http, metrics: ports.metrics },
      namespaces: [temporal.namespace],
      codecEndpoint:
        temporal.payloads === 'encrypted'
          ? `http://127.0.0.1:${ports.codec}/${codecToken}`
          : undefined,
    };
    const start = recorded(context, {
      ...{ name: 'temporal', stopSignal: 'SIGTERM' },
      start: (onSpawn) => startOnCache({ ...options, onSpawn }, context),
      answers: async () => (await namespaceState(ports.grpc, temporal.namespace)) !== 'away',
    });
    const server = await supervise('temporal', start, context);
    void watchNamespace(context, { server, port: ports.grpc });
    return { server, ports, codecToken, ui: ui && startUiProxy(ports.ui, ui) };
  });
}
