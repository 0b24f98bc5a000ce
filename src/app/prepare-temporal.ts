import type { Deps } from '../context.ts';
import { OncePerMinute } from '../shared/once-per-minute.ts';
import { SECOND_MS, sleep } from '../shared/time.ts';
import type { Lack } from '../temporal/requirements.ts';

const CHECK_EVERY_MS = 5 * SECOND_MS;

type TemporalDeps = Pick<Deps, 'config' | 'log' | 'temporal'>;

const warnings = new OncePerMinute();

export function describeLack(address: string | undefined, { reason, commands }: Lack): string {
  const typed = commands.length === 0 ? '' : ` To create it: "${commands.join(' && ')}".`;
  return `Temporal (TEMPORAL_ADDRESS, ${address}) starts no workflow: ${reason}${typed}`;
}

export async function workflowDetails({
  config,
  temporal,
}: TemporalDeps): Promise<Record<string, string>> {
  const lack = await temporal.prepare().catch(() => null);
  return lack === null ? {} : { workflowFault: describeLack(config.temporal.address, lack) };
}

/** False while the namespace cannot be read. */
async function checkRetention({ config, log, temporal }: TemporalDeps): Promise<boolean> {
  const forgets = await temporal.forgetsWithinADay().catch(() => null);
  if (forgets) {
    log.warn(
      `The namespace "${config.temporal.namespace}" keeps closed workflows for less than a day: give it a retention of three days or more, so that failures can be inspected.`,
    );
  }
  return forgets !== null;
}

/** Temporal may lose it later too. */
export async function keepTemporalPrepared(deps: TemporalDeps, signal: AbortSignal): Promise<void> {
  let isRetentionChecked = false;
  while (!signal.aborted) {
    if (!isRetentionChecked) isRetentionChecked = await checkRetention(deps);
    await sleep(CHECK_EVERY_MS, signal);
    const lack = await deps.temporal.prepare().catch(() => null);
    if (lack === null) continue;
    const line = describeLack(deps.config.temporal.address, lack);
    if (warnings.take(line, performance.now()) !== null) deps.log.warn(line);
  }
}
