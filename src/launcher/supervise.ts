import { type Config, givenSettings } from '../config.ts';
import type { Logger } from '../observability/log.ts';
import { must } from '../shared/assert.ts';
import { isPublic } from '../shared/own-origin.ts';
import { migrate } from '../storage/migrate.ts';
import { waitForDatabase } from '../storage/ping.ts';
import { isBehindPooler, isSameDatabase, limitRole, whileOpen } from '../storage/pooler.ts';
import type { Sql } from '../storage/postgres.ts';
import { type Places, places, type Started } from './announce.ts';
import { buildLater } from './build-later.ts';
import { findBundle } from './bundle/find.ts';
import { claimEventFiles } from './claim-events.ts';
import { DIFFERENT_DATABASES, whyNoDatabase } from './database-failure.ts';
import { findPortFault, freePort } from './embedded/ports.ts';
import {
  type SupervisedPostgres,
  type SupervisedTemporal,
  serverEnvironment,
  supervisePostgres,
  superviseTemporal,
} from './embedded.ts';
import { generatedSecrets } from './generated-secrets.ts';
import { acquireLock, type Lock } from './lock.ts';
import { type SupervisedProcesses, superviseProcesses } from './processes.ts';
import { ChildRecords, stopOrphans } from './records.ts';
import { withFreePorts } from './remembered-ports.ts';
import { removeRunning, writeRunning } from './running.ts';
import { serveHostMetrics } from './serve-metrics.ts';

/** Milliseconds from the start: requests, their dependencies, databases. */
const STOPPED_UNTIL_MS = { api: 4_700, others: 7_000, temporal: 8_000, postgres: 8_800 };
const LEAST_GRACE_MS = 300;
const INTERRUPTED_WITHIN_MS = 500;
const RELOAD_GRACE_MS = 4_700;

export type Supervision = {
  config: Config;
  log: Logger;
  findCli: () => Promise<string>;
  settings?: Readonly<Record<string, string>>;
  fromSource?: boolean;
};

const sharesFiles = ({ events }: Config) => events.url.startsWith('s3:');

export class Supervisor {
  private lock: Lock | undefined;
  private records: ChildRecords | undefined;
  private postgres: SupervisedPostgres | undefined;
  private temporal: SupervisedTemporal | undefined;
  private processes: SupervisedProcesses | undefined;
  private metrics: { stop: () => void } | null = null;
  private port: number | undefined;
  private starting: Promise<Started> | undefined;
  private stopped: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  readonly signal = this.stopping.signal;

  constructor(private readonly options: Supervision) {}

  start(): Promise<Started> {
    this.starting ??= this.startAll();
    return this.starting;
  }

  get isStopping(): boolean {
    return this.signal.aborted;
  }

  private async startAll(): Promise<Started> {
    const { config, log, settings, fromSource } = this.options;
    const embedded = config.databaseUrl === undefined || config.temporal.address === undefined;
    if (embedded) this.lock = await acquireLock(config.dataDir);
    this.stopping.signal.throwIfAborted();
    const orphans = await stopOrphans(config.dataDir);
    if (orphans.length > 0) log.warn({ orphans }, 'stopped processes of an earlier start');
    await this.apiPort();
    this.records = new ChildRecords(config.dataDir);
    await this.startServers(this.records);
    this.stopping.signal.throwIfAborted();
    const servers = serverEnvironment(this.postgres, this.temporal);
    const databaseUrl = servers.DATABASE_URL ?? config.databaseUrl;
    const pooler = await this.prepareDatabase(
      must(databaseUrl, 'without DATABASE_URL a PostgreSQL is embedded'),
    );
    const env = {
      ...{ ...(await generatedSecrets(config)), ...servers, DATABASE_POOLER: pooler },
      ...settings,
    };
    const bundle = fromSource ? null : findBundle(log);
    const context = { config, log, records: this.records, stopping: this.stopping.signal, bundle };
    this.metrics = serveHostMetrics(config, () => this.processes !== undefined);
    this.processes = await withFreePorts(
      () => this.apiPort(),
      async (port) => {
        this.stopping.signal.throwIfAborted();
        // The API's waiters find all else by this file.
        await this.publish(env, `http://127.0.0.1:${port}`);
        return superviseProcesses({ ...context, env: { ...env, PORT: String(port) } });
      },
    );
    if (bundle === null && !fromSource) buildLater(log, this.stopping.signal);
    const { address, firstAccountCode, workflowFault } = this.processes.details;
    return {
      places: await this.publish(env, address),
      isPublic: isPublic(config),
      firstAccountCode,
      workflowFault,
    };
  }

  private async publish(env: Record<string, string>, address: string | undefined): Promise<Places> {
    const { config, log } = this.options;
    if (config.roles.includes('api') && config.redisUrl === undefined && sharesFiles(config)) {
      log.warn('REDIS_URL is not set: each host with an API counts rate limits by itself');
    }
    const listens = config.roles.includes('api') ? address : undefined;
    const ui = this.temporal?.ui ? this.temporal.ports.ui : undefined;
    const published = places(config, listens, ui);
    await writeRunning(config.dataDir, { env: { ...givenSettings(), ...env }, places: published });
    return published;
  }

  async reload(): Promise<void> {
    await this.processes?.restart(RELOAD_GRACE_MS);
  }

  stop(): Promise<void> {
    this.stopped ??= this.stopAll();
    return this.stopped;
  }

  killAll(): void {
    this.records?.killAll();
  }

  private async stopAll(): Promise<void> {
    const beganAt = performance.now();
    const grace = (stage: keyof typeof STOPPED_UNTIL_MS) =>
      Math.max(LEAST_GRACE_MS, beganAt + STOPPED_UNTIL_MS[stage] - performance.now());
    this.stopping.abort();
    this.lock?.announceStop();
    this.metrics?.stop();
    await this.processes?.stop('api', grace('api'));
    await this.processes?.stop('others', grace('others'));
    await this.temporal?.ui?.stop();
    await this.temporal?.server.stop(grace('temporal'));
    await this.postgres?.server.stop(grace('postgres'));
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
      if (config.databaseUrl === undefined) this.postgres = await supervisePostgres(context);
    };
    const temporal = async () => {
      if (config.temporal.address !== undefined) return;
      this.temporal = await superviseTemporal(context, await findCli());
    };
    const results = await Promise.allSettled([postgres(), temporal()]);
    const failure = results.find((result) => result.status === 'rejected');
    if (failure) throw failure.reason;
  }

  /** For PORT 0 any free port, which a restarted API keeps if possible. */
  private async apiPort(): Promise<number> {
    const { host, port, roles } = this.options.config;
    if (port === 0) {
      this.port = await freePort(this.port === undefined ? [] : [this.port]);
      return this.port;
    }
    const fault = roles.includes('api') ? await findPortFault('PORT', port, host) : null;
    if (fault) throw new Error(`${fault.found} ${fault.cure}`);
    return port;
  }

  private prepareDatabase(databaseUrl: string): Promise<string> {
    const { databaseDirectUrl: directUrl, databasePooler } = this.options.config;
    return this.whileConnected(databaseUrl, 'DATABASE_URL', async (sql) => {
      const isPooled = await isBehindPooler(sql);
      const mode = databasePooler ?? (isPooled ? 'transaction' : 'none');
      if (databasePooler === undefined && isPooled) {
        this.options.log.info('a pooler stands before PostgreSQL; DATABASE_POOLER is transaction');
      }
      if (mode === 'transaction') await limitRole(sql);
      if (directUrl === undefined) await this.migrate(sql);
      else {
        await this.whileConnected(directUrl, 'DATABASE_DIRECT_URL', async (direct) => {
          if (!(await isSameDatabase(sql, direct))) throw new Error(DIFFERENT_DATABASES);
          await this.migrate(direct);
        });
      }
      return mode;
    });
  }

  private async migrate(sql: Sql): Promise<void> {
    const applied = await migrate(sql);
    const last = applied.at(-1);
    if (last) this.options.log.info({ applied: applied.length, last }, 'database migrated');
    await claimEventFiles(this.options.config, sql, this.options.log);
  }

  private whileConnected<T>(url: string, name: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    const explain = (thrown: unknown) => whyNoDatabase(url, thrown, name);
    return whileOpen(url, async (sql) => {
      await waitForDatabase(sql, {
        onWait: (thrown) => this.options.log.warn(`${explain(thrown)} Trying for a minute.`),
        signal: this.stopping.signal,
      }).catch((thrown: unknown) => {
        throw this.isStopping ? thrown : new Error(explain(thrown), { cause: thrown });
      });
      return work(sql);
    });
  }
}
