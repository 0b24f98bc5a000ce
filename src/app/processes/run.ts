import type { Registry } from 'prom-client';
import { type Config, loadConfig, type ProcessRole } from '../../config.ts';
import { BEAT_EVERY_MS } from '../../launcher/life.ts';
import { createLogger, type Logger } from '../../observability/log.ts';
import { serveMetrics } from '../../observability/metrics-socket.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { makePrivateFolder } from '../../storage/files.ts';
import type { Sql } from '../../storage/postgres.ts';
import { poolStuck } from '../../storage/watch-pool.ts';
import { checkRelease } from './check-release.ts';

export type ProcessContext = {
  config: Config;
  log: Logger;
  /** Zero-based per role. */
  index: number;
};

export type RunningProcess = {
  /** Announced by the supervisor, such as `address`. */
  details?: Record<string, string>;
  sql: Sql;
  registry?: Registry;
  stop: () => Promise<void>;
};

/** Below the supervisor's kill deadline. */
const DRAIN_LIMIT_MS = 4_500;

/** On the supervisor's request or death (closed IPC). */
function stopRequested(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
    if (process.send) process.on('disconnect', () => resolve('the supervisor is gone'));
  });
}

function beat(): void {
  if (!process.send) return;
  setInterval(() => {
    if (process.connected) process.send?.({ type: 'alive' });
  }, BEAT_EVERY_MS);
}

function exitOnFault(log: Logger): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, `process ending: ${event}`);
      process.exit(1);
    });
  }
}

async function drain(running: RunningProcess, log: Logger): Promise<number> {
  const stopped = running.stop().then(() => 0);
  const code = await withTimeout(stopped, DRAIN_LIMIT_MS, () => 1);
  if (code === 0) log.debug('stopped');
  else log.error(`stopping took more than ${DRAIN_LIMIT_MS / 1_000} s; remaining work dropped`);
  return code;
}

export async function runProcess(
  role: ProcessRole,
  start: (context: ProcessContext) => Promise<RunningProcess>,
): Promise<never> {
  const config = loadConfig();
  const log = createLogger(config, role);
  exitOnFault(log);
  beat();
  const end = stopRequested();
  try {
    await checkRelease(config, log);
    const index = Number(process.argv[2] ?? 0);
    const running = await start({ config, log, index });
    if (running.registry) {
      makePrivateFolder(config.runDir);
      serveMetrics(config.runDir, `${role}-${index}`, running.registry);
    }
    process.send?.({ type: 'ready', details: running.details ?? {} });
    log.debug({ ...running.details }, 'process ready');
    const stopping = new AbortController();
    const stuck = poolStuck(running.sql, stopping.signal).then(() => null);
    const reason = await Promise.race([end, stuck]);
    stopping.abort();
    if (reason === null) {
      log.fatal('no database connection was returned to the pool for ten seconds; restarting');
    } else log.info({ reason }, 'stopping');
    const code = await drain(running, log);
    process.exit(reason === null ? 1 : code);
  } catch (error) {
    log.fatal({ err: error }, `${role} process could not start`);
    process.exit(1);
  }
}
