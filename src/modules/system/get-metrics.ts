import type { Deps } from '../../context.ts';
import { metricsOfHost } from '../../observability/metrics-socket.ts';
import { singleFlight } from '../../shared/single-flight.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { measureBacklogs, measureRuns } from './backlogs.ts';
import { type Probed, probeDependencies } from './get-status.ts';

const WAIT_MS = 250;

type Watched = Pick<Deps, Probed>;
type Watch = { first: Promise<void>; running: Promise<void> | null };

const watches = new WeakMap<Deps['metrics'], Watch>();

async function measure(deps: Watched): Promise<void> {
  await Promise.all([probeDependencies(deps), measureBacklogs(deps), measureRuns(deps)]);
}

/** Hanging dependencies change their gauge in the background. Only the first call waits for all. */
async function watchDependencies(deps: Watched): Promise<void> {
  const watch = watches.get(deps.metrics);
  if (watch === undefined) {
    const first = measure(deps);
    watches.set(deps.metrics, { first, running: null });
    first.catch(() => watches.delete(deps.metrics));
    return first;
  }
  await watch.first;
  watch.running ??= measure(deps).finally(() => {
    watch.running = null;
  });
  await withTimeout(watch.running, WAIT_MS, () => undefined);
}

const scrapes = singleFlight<string>();

/** Each asks every process of the host. */
export function getMetrics(deps: Pick<Deps, Probed>): Promise<string> {
  const { runDir } = deps.config;
  return scrapes(runDir, async () => {
    await watchDependencies(deps);
    return metricsOfHost(runDir, [await deps.metrics.registry.metrics()]);
  });
}
