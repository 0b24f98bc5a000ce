import type { Config } from '../config.ts';
import { freePort, isFree } from '../embedded/ports.ts';
import type { Logger } from '../observability/log.ts';
import { migrate } from '../storage/migrate.ts';
import { waitForDatabase } from '../storage/ping.ts';
import { createSql } from '../storage/postgres.ts';
import { type Places, places } from './announce.ts';
import {
  type KeptPostgres,
  type KeptTemporal,
  keepPostgres,
  keepTemporal,
  serverEnvironment,
} from './embedded.ts';
import { generatedSecrets } from './generated-secrets.ts';
import { acquireLock, type Lock } from './lock.ts';
import { type KeptProcesses, keepProcesses } from './processes.ts';
import { ChildRecords, stopOrphans } from './records.ts';
import { removeRunning, writeRunning } from './running.ts';

/** Ten seconds in all: requests first, then what they need, the databases last. */
const GRACE_MS = { api: 5_000, processes: 2_000, temporal: 1_000, postgres: 1_000 };

export type Supervision = {
  config: Config;
  log: Logger;
  /** Finds the `temporal` binary; asked only when the embedded server is wanted. */
  findCli: () => Promise<string>;
};

/** Everything that one start of the service runs, and how it ends. */
export class Supervisor {
  private lock: Lock | undefined;
  private records: ChildRecords | undefined;
  private postgres: KeptPostgres | undefined;
  private temporal: KeptTemporal | undefined;
  private processes: KeptProcesses | undefined;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: Supervision) {}

  /** Starts everything; returns where it is. */
  async start(): Promise<Places> {
    const { config, log } = this.options;
    const embedded = config.databaseUrl === undefined || config.temporal.address === undefined;
    if (embedded) this.lock = acquireLock(config.dataDir);
    const orphans = await stopOrphans(config.dataDir);
    if (orphans.length > 0) log.warn({ orphans }, 'Stopped what an earlier start left running.');
    const port = await this.apiPort();
    this.records = new ChildRecords(config.dataDir);
    await this.startServers(this.records);
    const servers = serverEnvironment(this.postgres, this.temporal);
    await this.migrate(servers.DATABASE_URL ?? config.databaseUrl ?? '');
    const env = { ...(await generatedSecrets(config)), ...servers, PORT: String(port) };
    this.processes = await keepProcesses({ config, log, records: this.records, env });
    const where = places(config, this.processes.address, this.temporal?.ports.ui);
    await writeRunning(config.dataDir, { env: servers, places: where });
    return where;
  }

  /** Restarts the processes of the service, and leaves the servers alone. */
  async reload(): Promise<void> {
    await this.processes?.restart(GRACE_MS.api);
  }

  /** Stops everything, in order, within ten seconds; safe to call at any moment, and twice. */
  stop(): Promise<void> {
    this.stopped ??= this.stopAll();
    return this.stopped;
  }

  private async stopAll(): Promise<void> {
    await this.processes?.stop(GRACE_MS.api, GRACE_MS.processes);
    await this.temporal?.kept.stop(GRACE_MS.temporal);
    await this.postgres?.kept.stop(GRACE_MS.postgres);
    await this.records?.end();
    await removeRunning(this.options.config.dataDir);
    this.lock?.release();
  }

  private async startServers(records: ChildRecords): Promise<void> {
    const { config, log, findCli } = this.options;
    const context = { config, log, records };
    const postgres = async () => {
      if (config.databaseUrl === undefined) this.postgres = await keepPostgres(context);
    };
    const temporal = async () => {
      if (config.temporal.address !== undefined) return;
      this.temporal = await keepTemporal(context, await findCli());
    };
    const results = await Promise.allSettled([postgres(), temporal()]);
    const failure = results.find((result) => result.status === 'rejected');
    if (failure) throw failure.reason;
  }

  /** 0 asks for any free port, chosen here so that a restarted API has the same one. */
  private async apiPort(): Promise<number> {
    const { host, port, roles } = this.options.config;
    if (port === 0) return freePort();
    if (!roles.includes('api') || (await isFree(port, host))) return port;
    throw new Error(`PORT ${port} on ${host} is taken by another program. Set another PORT.`);
  }

  private async migrate(databaseUrl: string): Promise<void> {
    const sql = createSql(databaseUrl, { maxConnections: 1, applicationName: 'migrations' });
    try {
      await waitForDatabase(sql);
      const applied = await migrate(sql);
      if (applied.length > 0) this.options.log.info({ applied }, 'Migrated the database.');
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
}
