import type { Deps } from '../../context.ts';
import { noSuchRoute } from '../../shared/errors.ts';
import { holdsToken } from '../../shared/same-secret.ts';
import type { Probed } from './get-status.ts';
import { watchDependencies } from './watch-dependencies.ts';

/**
 * Prometheus text, for callers on this machine or with `METRICS_TOKEN`; for others there is no such
 * route.
 */
export async function getMetrics(
  deps: Pick<Deps, Probed>,
  caller: { isLocal: boolean; authorization: string | null },
): Promise<string> {
  const isTrusted = caller.isLocal || holdsToken(deps.config.metricsToken, caller.authorization);
  if (!isTrusted) throw noSuchRoute();
  await watchDependencies(deps);
  return deps.metrics.registry.metrics();
}
