import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
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
  return existsSync(`/proc/${pid}`);
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** A server and all its helpers stand in its data folder; no other program does. */
function processesIn(cluster: string): number[] {
  const folder = realpathSync(cluster);
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && workingFolder(pid) === folder);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended in between.
  }
}

/** Helpers end by themselves once their server is gone, but not at once. */
async function waitUntilEmpty(cluster: string): Promise<void> {
  const deadline = performance.now() + GRACE_MS;
  while (processesIn(cluster).length > 0 && performance.now() < deadline) await Bun.sleep(25);
}

/**
 * Makes way for a start on `cluster`, which the caller has locked: ends what an earlier start left
 * there, and removes a pid file whose pid now belongs to another program, which would keep
 * PostgreSQL from starting for ever. A pid file of a dead process PostgreSQL removes by itself.
 */
export async function settlePredecessor(cluster: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const server = recordedPid(cluster);
  const left = processesIn(cluster);
  if (left.length > 0) {
    if (server !== undefined && left.includes(server)) signal(server, 'SIGINT');
    await waitUntilEmpty(cluster);
    for (const pid of processesIn(cluster)) signal(pid, 'SIGKILL');
    await waitUntilEmpty(cluster);
  } else if (server !== undefined && isRunning(server)) {
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
  }
}
