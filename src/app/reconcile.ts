import type { Alone, Deps, Need } from '../context.ts';
import { reconcileEvents } from '../event-store/keep.ts';
import { lakeRounds } from '../lake/rounds.ts';
import { makeDueBackup, verifyDueBackup } from '../modules/backup/index.ts';
import { repeatErasures } from '../modules/people/erase.ts';
import { noteLacks } from '../modules/system/index.ts';
import { AppError } from '../shared/errors.ts';
import { OncePerMinute } from '../shared/once-per-minute.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS, sleep } from '../shared/time.ts';
import { type ServiceLock, withLock } from '../storage/locks.ts';
import { untilServed } from '../storage/restored.ts';
import { serverReason } from '../temporal/server-reason.ts';
import { CHAPTERS } from './chapters.ts';

type Step<Result, Needs extends Need = Alone> = {
  name: string;
  run: (deps: Pick<Deps, Needs>) => Promise<Result>;
};

const MISSING: readonly Step<boolean>[] = CHAPTERS.flatMap(({ name, ensureMissingRuns: run }) =>
  run ? { name, run } : [],
);

const DUE: readonly Step<void>[] = [
  ...CHAPTERS.flatMap(({ name, reconcile: run }) => (run ? { name, run } : [])),
  // Not in the chapter, which the API loads: this import brings DuckDB.
  { name: 'events', run: reconcileEvents },
];

const ASKING = { name: 'erasures', run: repeatErasures };

const faults = new OncePerMinute();

/** One line a minute in an outage, which fails all chapters every two seconds. */
function reportFault({ log }: Deps, reconciler: string, err: unknown): void {
  const isOutage = err instanceof AppError && err.code === 'unavailable';
  const reason = serverReason(err);
  const unsaid = faults.take(isOutage ? reason : reconciler, performance.now());
  if (unsaid === null) return;
  const about = isOutage ? { reason } : { err };
  log.warn({ ...about, reconciler, unsaid }, 'reconciling failed; the next round retries');
}

async function runEach<Result>(
  deps: Deps,
  steps: readonly Step<Result, Need>[],
): Promise<Result[]> {
  const results: Result[] = [];
  for (const { name, run } of steps) {
    try {
      results.push(await run(deps));
    } catch (err) {
      reportFault(deps, name, err);
    }
  }
  return results;
}

export async function ensureMissingRuns(deps: Deps): Promise<boolean> {
  return (await runEach(deps, MISSING)).includes(true);
}

export async function reconcileOnce(deps: Deps): Promise<void> {
  await runEach(deps, deps.config.workerQueues.includes('main') ? [...DUE, ASKING] : DUE);
}

async function repeatInTurn(
  deps: Deps,
  signal: AbortSignal,
  { lock, everyMs, round }: { lock: ServiceLock; everyMs: number; round: () => Promise<boolean> },
): Promise<void> {
  while (!signal.aborted) {
    await untilServed(deps.sql, signal);
    const turn = await withLock(deps.sql, lock, round).catch((err: unknown) => {
      reportFault(deps, lock, err);
      return null;
    });
    if (turn?.value !== true) await sleep(everyMs, signal);
  }
}

export async function reconcileForever(deps: Deps, signal: AbortSignal): Promise<void> {
  await Promise.all([
    repeatInTurn(deps, signal, {
      lock: 'missingRuns',
      everyMs: 2 * SECOND_MS,
      round: () => ensureMissingRuns(deps),
    }),
    repeatInTurn(deps, signal, {
      lock: 'lostRuns',
      everyMs: MINUTE_MS,
      round: () => reconcileOnce(deps).then(() => false),
    }),
    repeatInTurn(deps, signal, {
      lock: 'backups',
      everyMs: MINUTE_MS,
      round: () => makeDueBackup({ deps, requestId: 'backup' }, signal).then(() => false),
    }),
    repeatInTurn(deps, signal, {
      lock: 'backupChecks',
      everyMs: MINUTE_MS,
      round: () => verifyDueBackup({ deps, requestId: 'backup' }, signal).then(() => false),
    }),
    repeatInTurn(deps, signal, {
      lock: 'lake',
      // Without a lake, merely checks for an abandoned one.
      everyMs: deps.config.lake.isOn ? MINUTE_MS : HOUR_MS,
      round: lakeRounds(deps),
    }),
  ]);
}

export async function keepLacksNoted(deps: Deps, signal: AbortSignal): Promise<void> {
  for (; !signal.aborted; await sleep(10 * SECOND_MS, signal)) {
    await noteLacks(deps).catch((err: unknown) => reportFault(deps, 'needs', err));
  }
}
