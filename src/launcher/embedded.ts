import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Logger } from '../observability/log.ts';
import { preparePostgres } from './embedded/postgres.ts';
import type { Server } from './embedded/server.ts';
import { startTemporal, type TemporalPorts } from './embedded/temporal.ts';
import { type Kept, keep } from './keep.ts';
import type { ChildRecords } from './records.ts';
import { RememberedPorts, withFreePorts } from './remembered-ports.ts';

/** Enough for a handful of processes with pools of their own. */
const MAX_CONNECTIONS = 200;
/** Where Temporal's UI is found on most machines. */
const UI_PORT = 8233;

export type EmbeddedContext = {
  config: Config;
  log: Logger;
  records: ChildRecords;
  stopping: AbortSignal;
};

type Start = (onSpawn: (pid: number) => void) => Promise<Server>;

/** What the processes are told of the embedded servers. */
export function serverEnvironment(
  postgres: KeptPostgres | undefined,
  temporal: KeptTemporal | undefined,
): Record<string, string> {
  return {
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    ...(temporal
      ? {
          TEMPORAL_ADDRESS: `127.0.0.1:${temporal.ports.grpc}`,
          TEMPORAL_UI_PORT: String(temporal.ports.ui),
          TEMPORAL_CODEC_PORT: String(temporal.ports.codec),
          TEMPORAL_CODEC_TOKEN: temporal.codecToken,
        }
      : {}),
  };
}

/** Starts with a note on disk of what was started, until it has ended. */
function recorded(
  { records }: EmbeddedContext,
  name: string,
  stopSignal: 'SIGINT' | 'SIGTERM',
  start: Start,
): () => Promise<Server> {
  return async () => {
    const server = await start((pid) => records.add(name, pid, stopSignal));
    void server.exited.then(() => records.remove(name));
    return server;
  };
}

export type KeptPostgres = { kept: Kept; url: string };

export function keepPostgres(context: EmbeddedContext): Promise<KeptPostgres> {
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
    const start = recorded(context, 'postgres', 'SIGINT', prepared.start);
    return { kept: await keep('postgres', start, context), url: prepared.url };
  });
}

export type KeptTemporal = { kept: Kept; ports: AllPorts; codecToken: string };

/** `codec` is the worker's: the UI asks it to read encrypted payloads. */
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

export function keepTemporal(context: EmbeddedContext, cliPath: string): Promise<KeptTemporal> {
  const { dataDir, temporal } = context.config;
  const folder = join(dataDir, 'temporal');
  const choose = () => chooseTemporalPorts(join(folder, 'ports.json'), temporal.uiPort);
  const codecToken = temporal.codecToken ?? randomBytes(24).toString('hex');
  return withFreePorts(choose, async (ports) => {
    const start = recorded(context, 'temporal', 'SIGTERM', (onSpawn) =>
      startTemporal({
        cliPath,
        dataDir: folder,
        databaseFile: join(folder, 'temporal.db'),
        ports,
        namespaces: [temporal.namespace],
        codecEndpoint:
          temporal.payloads === 'encrypted'
            ? `http://127.0.0.1:${ports.codec}/${codecToken}`
            : undefined,
        onSpawn,
      }),
    );
    const kept = await keep('temporal', start, context);
    return { kept, ports, codecToken };
  });
}
