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

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** The working folder of a server and its helpers is its data folder. */
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

/** Helpers of a stopped server end by themselves, with a delay. */
async function waitUntilEmpty(cluster: string): Promise<void> {
  const deadline = performance.now() + GRACE_MS;
  while (processesIn(cluster).length > 0 && performance.now() < deadline) await Bun.sleep(25);
}

/**
 * Prepares a start on `cluster`, which the caller has locked: stops servers of an earlier start, and
 * removes a pid file whose pid now belongs to another program and would block PostgreSQL for ever.
 * PostgreSQL itself removes the pid file of a dead process.
 */
export async function settlePredecessor(cluster: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const server = recordedPid(cluster);
  const orphans = processesIn(cluster);
  if (orphans.length > 0) {
    if (server !== undefined && orphans.includes(server)) signal(server, 'SIGINT');
    await waitUntilEmpty(cluster);
    for (const pid of processesIn(cluster)) signal(pid, 'SIGKILL');
    await waitUntilEmpty(cluster);
  } else if (server !== undefined && existsSync(`/proc/${server}`)) {
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
  }
}
