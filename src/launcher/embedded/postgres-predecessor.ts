import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

const GRACE_MS = 10_000;

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function recordedPid(cluster: string): number | undefined {
  const text = attempt(() => readFileSync(join(cluster, 'postmaster.pid'), 'utf8'));
  const pid = Number(text?.split('\n')[0]);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}

const workingFolder = (pid: number) => attempt(() => readlinkSync(`/proc/${pid}/cwd`));

/** The working folder of a server and its helpers, and of `initdb`, is its data folder. */
export function processesIn(cluster: string): number[] {
  // Gone where its `initdb` removed it.
  const folder = attempt(() => realpathSync(cluster));
  if (folder === undefined || process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && workingFolder(pid) === folder);
}

export const signal = (pid: number, name: NodeJS.Signals) => attempt(() => process.kill(pid, name));

async function waitUntilEmpty(cluster: string): Promise<void> {
  const deadline = performance.now() + GRACE_MS;
  while (processesIn(cluster).length > 0 && performance.now() < deadline) await Bun.sleep(25);
}

async function killIn(cluster: string): Promise<void> {
  for (const pid of processesIn(cluster)) signal(pid, 'SIGKILL');
  await waitUntilEmpty(cluster);
}

/** Its `initdb` may still be writing. */
export async function removeUnfinished(staging: string): Promise<void> {
  if (process.platform === 'linux') await killIn(staging);
  await rm(staging, { recursive: true, force: true, maxRetries: 5 });
}

/** A pid file blocks PostgreSQL where another program has its pid, or gets it. */
export async function settlePredecessor(cluster: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const server = recordedPid(cluster);
  const orphans = processesIn(cluster);
  if (orphans.length > 0) {
    if (server !== undefined && orphans.includes(server)) signal(server, 'SIGINT');
    await waitUntilEmpty(cluster);
    await killIn(cluster);
  } else if (server !== undefined) {
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
  }
}
