import type { Deps } from '../../context.ts';
import { metricsOfHost } from '../../observability/metrics-socket.ts';
import type { Probed } from './get-status.ts';
import { watchDependencies } from './watch-dependencies.ts';

export async function getMetrics(deps: Pick<Deps, Probed>): Promise<string> {
  await watchDependencies(deps);
  return metricsOfHost(deps.config.runDir, [await deps.metrics.registry.metrics()]);
}
