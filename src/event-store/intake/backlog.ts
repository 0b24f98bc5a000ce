import { stat } from 'node:fs/promises';
import { MINUTE_MS, SECOND_MS, sleep } from '../../shared/time.ts';
import { sealedSegments } from '../log/segments.ts';
import type { Reporter } from '../store.ts';

/** By this age no compactor runs, or it fails. */
const OVERDUE_MS = 2 * MINUTE_MS;
const LOOK_EVERY_MS = MINUTE_MS;

/** 0 without one. */
export async function backlogAgeMs(logDir: string, nowMs: number): Promise<number> {
  let oldestMs = nowMs;
  for (const { path } of await sealedSegments(logDir)) {
    const info = await stat(path).catch(() => null);
    if (info !== null && info.size > 0) oldestMs = Math.min(oldestMs, info.mtimeMs);
  }
  return nowMs - oldestMs;
}

export async function isBacklogOverdue(logDir: string, nowMs: number): Promise<boolean> {
  return (await backlogAgeMs(logDir, nowMs)) > OVERDUE_MS;
}

export async function watchBacklog(
  { logDir, log }: { logDir: string; log: Reporter },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(LOOK_EVERY_MS, signal);
    const ageMs = await backlogAgeMs(logDir, Date.now()).catch(() => 0);
    if (signal.aborted || ageMs <= OVERDUE_MS) continue;
    log.error(
      { logDir, waitingSeconds: Math.round(ageMs / SECOND_MS) },
      'events are not being compacted: no compactor works on this DATA_DIR, or it fails; run a process with ROLE=compactor here',
    );
  }
}
