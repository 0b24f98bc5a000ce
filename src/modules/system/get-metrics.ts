import type { Deps } from '../../context.ts';
import { metricsOfHost } from '../../observability/metrics-socket.ts';
import { singleFlight } from '../../shared/single-flight.ts';
import type { Probed } from './get-status.ts';
import { watchDependencies } from './watch-dependencies.ts';

const scrapes = singleFlight<string>();

/** Each asks every process of the host. */
export function getMetrics(deps: Pick<Deps, Probed>): Promise<string> {
  const { runDir } = deps.config;
  return scrapes(runDir, async () => {
    await watchDependencies(deps);
    return metricsOfHost(runDir, [await deps.metrics.registry.metrics()]);
  });
}
