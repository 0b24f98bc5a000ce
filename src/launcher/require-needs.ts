import type { Logger } from '../observability/log.ts';
import { describeLack, fleetingFolder, type Host, lacksOf, NEEDS } from '../observability/needs.ts';
import { MINUTE_MS, SECOND_MS, sleep } from '../shared/time.ts';

const LOOK_EVERY_MS = SECOND_MS / 2;

/** One in another container may start later. */
export async function requireNeeds(
  host: Host,
  { log, stopping }: { log: Pick<Logger, 'warn'>; stopping: AbortSignal },
  withinMs = MINUTE_MS,
): Promise<void> {
  const fleeting = await fleetingFolder(host);
  if (fleeting !== null) log.warn(fleeting);
  const until = performance.now() + withinMs;
  while (!stopping.aborted) {
    const lacks = await lacksOf(host);
    if (lacks.length === 0) return;
    if (performance.now() < until) {
      await sleep(LOOK_EVERY_MS, stopping);
      continue;
    }
    for (const lack of lacks) {
      const { part, role } = lack;
      const others = part === 'main' ? ', or set WORKER_QUEUES=files for event files alone' : '';
      const text = `${describeLack(lack, host)} Add ${role} to ROLE, or share DATA_DIR with a host that has it${others}.`;
      if (!NEEDS[part].startsWithout) throw new Error(text);
      log.warn(text);
    }
    return;
  }
}
