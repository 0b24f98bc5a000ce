import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const GRACE_MS = 10_000;

function recordedPid(cluster: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A server stands in its data folder; no other program does. */
function standsIn(pid: number, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch {
    return false;
  }
}

async function end(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const deadline = performance.now() + GRACE_MS;
    if (isRunning(pid)) process.kill(pid, signal);
    while (isRunning(pid) && performance.now() < deadline) await Bun.sleep(50);
  }
}

/**
 * Makes way for a start on `cluster`, which the caller has locked: ends a server that an earlier
 * start left, and removes the pid file when its pid now belongs to another program, which would
 * keep PostgreSQL from starting for ever. A pid file of a dead process PostgreSQL removes itself.
 */
export async function settlePredecessor(cluster: string): Promise<void> {
  const pid = recordedPid(cluster);
  if (pid === undefined || process.platform !== 'linux' || !isRunning(pid)) return;
  if (standsIn(pid, cluster)) await end(pid);
  else rmSync(join(cluster, 'postmaster.pid'), { force: true });
}
