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

async function warnOfRetention({ config, log, temporal }: TemporalDeps): Promise<void> {
  if (!(await temporal.forgetsWithinADay().catch(() => false))) return;
  const { namespace } = config.temporal;
  log.warn(
    `The namespace "${namespace}" keeps closed workflows for less than a day: give it a retention of three days or more, so that failures can be inspected.`,
  );
}

/** Temporal may lose it later too. */
export async function keepTemporalPrepared(deps: TemporalDeps, signal: AbortSignal): Promise<void> {
  void warnOfRetention(deps);
  while (!signal.aborted) {
    await sleep(CHECK_EVERY_MS, signal);
    const lack = await deps.temporal.prepare().catch(() => null);
    if (lack === null) continue;
    const line = describeLack(deps.config.temporal.address, lack);
    if (warnings.take(line, performance.now()) !== null) deps.log.warn(line);
  }
}
