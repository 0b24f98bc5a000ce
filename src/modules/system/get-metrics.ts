import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../context.ts';
import { noSuchRoute } from '../../shared/errors.ts';
import { measureBacklogs } from './backlogs.ts';
import { probeDependencies } from './get-status.ts';

function holdsToken(expected: string | undefined, authorization: string | null): boolean {
  if (expected === undefined) return false;
  const given = Buffer.from(authorization?.replace(/^Bearer\s+/i, '') ?? '');
  const wanted = Buffer.from(expected);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Prometheus text for this machine or for who holds `METRICS_TOKEN`; otherwise there is no such route. */
export async function getMetrics(
  deps: Deps,
  caller: { isLocal: boolean; authorization: string | null },
): Promise<string> {
  const trusted = caller.isLocal || holdsToken(deps.config.metricsToken, caller.authorization);
  if (!trusted) throw noSuchRoute();
  await Promise.all([probeDependencies(deps), measureBacklogs(deps)]);
  return deps.metrics.registry.metrics();
}
