import type { Config } from '../config.ts';
import type { Logger } from '../observability/log.ts';
import { migrate } from '../storage/migrate.ts';
import { waitForDatabase } from '../storage/ping.ts';
import { createSql } from '../storage/postgres.ts';
import { type Places, places } from './announce.ts';
import { claimEventFiles } from './claim-events.ts';
import { whyNoDatabase } from './database-fault.ts';
import { freePort, isFree } from './embedded/ports.ts';
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
import { withFreePorts } from './remembered-ports.ts';
import { removeRunning, writeRunning } from './running.ts';

/**
 * Ten seconds in all: requests first, then what they need, the databases last. Each stage may take
 * what those before it have left, until so many milliseconds after the stop was asked for.
 */
const STOPPED_UNTIL_MS = { api: 4_700, others: 7_000, temporal: 8_000, postgres: 8_800 };
const LEAST_GRACE_MS = 300;
/** A start that was interrupted notices within this, or is not waited for. */
const INTERRUPTED_WITHIN_MS = 500;
const RELOAD_GRACE_MS = 4_700;

export type Supervision = {
  config: Config;
  log: Logger;
  /** Finds the `temporal` binary; asked only when the embedded server is wanted. */
  findCli: () => Promise<string>;
};

/** A bucket is what several hosts need. */
const sharesFiles = ({ events }: Config) => events.url.startsWith('s3:');

/** Everything that one start of the service runs, and how it ends. */
export class Supervisor {
  private lock: Lock | undefined;
  private records: ChildRecords | undefined;
  private postgres: KeptPostgres | undefined;
  private temporal: KeptTemporal | undefined;
  private processes: KeptProcesses | undefined;
  private port: number | undefined;
  private starting: Promise<Places> | undefined;
  private stopped: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: Supervision) {}

  /** Starts everything; returns where it is. Rejects when a stop is asked for meanwhile. */
  start(): Promise<Places> {
    this.starting ??= this.startAll();
    return this.starting;
  }

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async startAll(): Promise<Places> {
    const { config, log } = this.options;
    const embedded = config.databaseUrl === undefined || config.temporal.address === undefined;
    if (embedded) this.lock = acquireLock(config.dataDir);
    const orphans = await stopOrphans(config.dataDir);
    if (orphans.length > 0) log.warn({ orphans }, 'Stopped what an earlier start left running.');
    await this.apiPort(); // Refused before anything is started for it.
    this.records = new ChildRecords(config.dataDir);
    await this.startServers(this.records);
    this.stopping.signal.throwIfAborted();
    const servers = serverEnvironment(this.postgres, this.temporal);
    await this.migrate(servers.DATABASE_URL ?? config.databaseUrl ?? '');
    const env = { ...(await generatedSecrets(config)), ...servers };
    const context = { config, log, records: this.records, stopping: this.stopping.signal };
    this.processes = await withFreePorts(
      () => this.apiPort(),
      async (port) => {
        this.stopping.signal.throwIfAborted();
        // Before the API says that it is ready: whoever waits for that finds the rest by this file.
        await this.note(servers, `http://127.0.0.1:${port}`);
        return keepProcesses({ ...context, env: { ...env, PORT: String(port) } });
      },
    );
    return this.note(servers, this.processes.address);
  }

  private async note(env: Record<string, string>, address: string | undefined): Promise<Places> {
    const { config, log } = this.options;
    if (config.roles.includes('api') && config.redisUrl === undefined && sharesFiles(config)) {
      log.warn('REDIS_URL is not set: each host with an API counts rate limits by itself.');
    }
    const listens = config.roles.includes('api') ? address : undefined;
    const where = places(config, listens, this.temporal?.ports.ui);
    await writeRunning(config.dataDir, { env, places: where });
    return where;
  }

  /** Restarts the processes of the service, and leaves the servers alone. */
  async reload(): Promise<void> {
    await this.processes?.restart(RELOAD_GRACE_MS);
  }

  /** Stops everything, in order, within ten seconds; safe to call at any moment, and twice. */
  stop(): Promise<void> {
    this.stopped ??= this.stopAll();
    return this.stopped;
  }

  /** The last resort: nothing of what this start has begun goes on. */
  killAll(): void {
    this.records?.killAll();
  }

  private async stopAll(): Promise<void> {
    const asked = performance.now();
    const grace = (stage: keyof typeof STOPPED_UNTIL_MS) =>
      Math.max(LEAST_GRACE_MS, asked + STOPPED_UNTIL_MS[stage] - performance.now());
    this.stopping.abort();
    await this.processes?.stop('api', grace('api'));
    await this.processes?.stop('others', grace('others'));
    await this.temporal?.kept.stop(grace('temporal'));
    await this.postgres?.kept.stop(grace('postgres'));
    await this.records?.end();
    await Promise.race([this.starting?.catch(() => undefined), Bun.sleep(INTERRUPTED_WITHIN_MS)]);
    await this.records?.end();
    await removeRunning(this.options.config.dataDir);
    this.lock?.release();
  }

  private async startServers(records: ChildRecords): Promise<void> {
    const { config, log, findCli } = this.options;
    const context = { config, log, records, stopping: this.stopping.signal };
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

  /**
   * 0 asks for any free port, chosen here so that a restarted API has the same one: the one chosen
   * before, while nobody else has taken it.
   */
  private async apiPort(): Promise<number> {
    const { host, port, roles } = this.options.config;
    if (port === 0) {
      this.port = await freePort(this.port === undefined ? [] : [this.port]);
      return this.port;
    }
    if (!roles.includes('api') || (await isFree(port, host))) return port;
    throw new Error(`PORT ${port} on ${host} is taken by another program. Set another PORT.`);
  }

  private async migrate(databaseUrl: string): Promise<void> {
    const sql = createSql(databaseUrl, { maxConnections: 1, applicationName: 'migrations' });
    const explain = (thrown: unknown) => whyNoDatabase(databaseUrl, thrown);
    try {
      await waitForDatabase(sql, {
        onWait: (thrown) => this.options.log.warn(`${explain(thrown)} Trying for a minute.`),
        signal: this.stopping.signal,
      }).catch((thrown: unknown) => {
        throw this.isStopping ? thrown : new Error(explain(thrown), { cause: thrown });
      });
      const applied = await migrate(sql);
      if (applied.length > 0) this.options.log.info({ applied }, 'Migrated the database.');
      await claimEventFiles(this.options.config, sql, this.options.log);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
}
