import type { Deps } from '../../context.ts';
import { errorMessage } from '../../shared/errors.ts';
import { pingQueries } from '../../shared/query-socket.ts';
import { MINUTE_MS, SECOND_MS, sleep } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { missingMigrations } from '../../storage/migrate.ts';
import { HOLD_SEEN_MS, isHeld } from '../../storage/restored.ts';
import { hasStartedRuns } from './queries.ts';
import { workerPolls } from './task-queues.ts';

const CHECK_EVERY_MS = 250;

export type Readiness = { isReady: () => boolean; isHeld: () => boolean; stop: () => void };

type CheckDeps = Pick<Deps, 'sql' | 'temporal' | 'config' | 'log'>;

export type Missing = { reason: string; graceMs: number };

const NO_LIMIT = Number.POSITIVE_INFINITY;
/** Short: events, summaries and funnels need no Temporal. */
const TEMPORAL_AWAY_GRACE_MS = 3 * SECOND_MS;
/** The first start of a release bundles its workflows. */
const WORKER_GRACE_MS = 30 * SECOND_MS;
const QUERIES_GRACE_MS = MINUTE_MS;
const PING_LIMIT_MS = 2 * SECOND_MS;

/** A Temporal without any run is not set up; a lost one is an outage. */
async function missingWorkflows(deps: CheckDeps): Promise<Missing | null> {
  try {
    const lack = await deps.temporal.prepare();
    if (lack !== null) {
      const graceMs = (await hasStartedRuns(deps.sql)) ? TEMPORAL_AWAY_GRACE_MS : NO_LIMIT;
      return { reason: lack.reason, graceMs };
    }
    if (await workerPolls(deps)) return null;
    return { reason: 'no worker polls yet', graceMs: WORKER_GRACE_MS };
  } catch (thrown) {
    return { reason: errorMessage(thrown), graceMs: TEMPORAL_AWAY_GRACE_MS };
  }
}

async function watchHold({ log, sql }: CheckDeps, signal: AbortSignal): Promise<() => boolean> {
  let held = false;
  const look = async () => {
    const found = await isHeld(sql).catch(() => held);
    if (found && !held) log.error('a backup was restored: nothing is served until it is settled');
    if (held && !found) log.info('the restored backup is settled: served again');
    held = found;
  };
  const watch = async () => {
    for (; !signal.aborted; await look()) await sleep(HOLD_SEEN_MS / 2, signal);
  };
  await withTimeout(look(), HOLD_SEEN_MS, () => undefined);
  void watch();
  return () => held;
}

async function missingQueries({ config }: CheckDeps): Promise<Missing | null> {
  return withTimeout(pingQueries(config.runDir), PING_LIMIT_MS).then(
    () => null,
    () => ({ reason: 'no query process answers yet', graceMs: QUERIES_GRACE_MS }),
  );
}

export async function missingDependency(deps: CheckDeps): Promise<Missing | null> {
  try {
    if ((await missingMigrations(deps.sql)).length > 0) {
      return { reason: 'the database is not migrated', graceMs: NO_LIMIT };
    }
  } catch (thrown) {
    return { reason: errorMessage(thrown), graceMs: NO_LIMIT };
  }
  const gaps = await Promise.all([missingWorkflows(deps), missingQueries(deps)]);
  const longest = (one: Missing | null, other: Missing | null) =>
    (one?.graceMs ?? 0) < (other?.graceMs ?? 0) ? other : one;
  return gaps.reduce(longest, null);
}

/** Without Temporal after a grace, never before one that answers is set up. */
export async function watchReadiness(deps: CheckDeps): Promise<Readiness> {
  const stopped = new AbortController();
  let isReady = false;
  const hold = await watchHold(deps, stopped.signal);
  const watch = async () => {
    let before = '';
    let databaseSinceMs: number | null = null;
    while (!stopped.signal.aborted) {
      const gap = await missingDependency(deps);
      if (gap === null || gap.graceMs !== NO_LIMIT) {
        databaseSinceMs ??= performance.now();
      } else databaseSinceMs = null;
      const waitedMs = databaseSinceMs === null ? 0 : performance.now() - databaseSinceMs;
      if (gap === null || waitedMs >= gap.graceMs) {
        isReady = true;
        if (gap === null) deps.log.info('ready');
        else deps.log.warn({ reason: gap.reason }, 'ready, but not for everything');
        return;
      }
      if (gap.reason !== before) deps.log.debug({ reason: gap.reason }, 'not ready yet');
      before = gap.reason;
      await sleep(CHECK_EVERY_MS, stopped.signal);
    }
  };
  void watch();
  return { isReady: () => isReady, isHeld: hold, stop: () => stopped.abort() };
}
