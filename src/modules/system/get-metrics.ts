import type { Deps } from '../../context.ts';
import type { Probed } from './get-status.ts';
import { watchDependencies } from './watch-dependencies.ts';

/** The metrics in Prometheus' text. */
export async function getMetrics(deps: Pick<Deps, Probed>): Promise<string> {
  await watchDependencies(deps);
  return deps.metrics.registry.metrics();
}
