import { readFileSync } from 'node:fs';

/** A process that cannot be mistaken for a later one with the same pid. */
export type ProcessIdentity = { pid: number; startedAt: string };

/** When a process started, in the system's own terms; undefined when there is none. */
function startOf(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    const ps = Bun.spawnSync(['ps', '-o', 'lstart=', '-p', String(pid)], { stderr: 'ignore' });
    return ps.stdout.toString().trim() || undefined;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold anything; the state and 18 more fields stand before the time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export function identify(pid: number): ProcessIdentity {
  return { pid, startedAt: startOf(pid) ?? 'gone' };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return startOf(identity.pid) === identity.startedAt;
}
