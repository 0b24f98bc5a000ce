import type { Deps } from '../../context.ts';
import { withTimeLimit } from '../../shared/time-limit.ts';
import { measureBacklogs, measureRuns } from './backlogs.ts';
import { type Probed, probeDependencies } from './get-status.ts';

/** Enough for dependencies that answer; one that is away takes seconds to be sure of. */
const WAIT_MS = 250;

type Watched = Pick<Deps, Probed>;
type Watch = { first: Promise<void>; running: Promise<void> | null };

const watches = new WeakMap<Deps['metrics'], Watch>();

async function measure(deps: Watched): Promise<void> {
  await Promise.all([probeDependencies(deps), measureBacklogs(deps), measureRuns(deps)]);
}

/**
 * Brings the gauges of dependencies and backlogs up to date for a scrape. A dependency that hangs is
 * waited for in the background, where its gauge changes when that is sure: the figures of the log
 * come at once. Only the first call of a process waits for all.
 */
export async function watchDependencies(deps: Watched): Promise<void> {
  const watch = watches.get(deps.metrics);
  if (watch === undefined) {
    const first = measure(deps);
    watches.set(deps.metrics, { first, running: null });
    return first;
  }
  await watch.first;
  watch.running ??= measure(deps).finally(() => {
    watch.running = null;
  });
  await withTimeLimit(watch.running, WAIT_MS, () => undefined);
}
