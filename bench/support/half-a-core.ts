import { processorMs } from './processor-time.ts';

/** As the kernel's own quotas count: what was not used in one period is lost. */
const PERIOD_MS = 100;
const QUOTA_MS = PERIOD_MS / 2;
const LOOK_MS = 5;
/**
 * Gives a process half a core, by the processor time of all of its threads together: in each period
 * it is stopped when it has had its half. Time that it waits for disk or database costs it nothing.
 * Linux only. Returns what ends it.
 */
export function holdToHalfACore(child: { pid: number; kill: (signal: NodeJS.Signals) => void }) {
  let period = { startedAt: performance.now(), usedMs: processorMs(child.pid) ?? 0, owedMs: 0 };
  let isStopped = false;
  const looks = setInterval(() => {
    const usedMs = processorMs(child.pid);
    if (usedMs === null) return;
    const now = performance.now();
    const had = () => period.owedMs + usedMs - period.usedMs;
    while (now - period.startedAt >= PERIOD_MS) {
      const owedMs = Math.max(0, had() - QUOTA_MS);
      period = { startedAt: period.startedAt + PERIOD_MS, usedMs, owedMs };
    }
    const shouldStop = had() >= QUOTA_MS;
    if (shouldStop === isStopped) return;
    isStopped = shouldStop;
    child.kill(isStopped ? 'SIGSTOP' : 'SIGCONT');
  }, LOOK_MS);
  return () => clearInterval(looks);
}
