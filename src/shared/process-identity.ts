import { readFileSync } from 'node:fs';

/** Tells a process from a later one with the same pid. */
export type ProcessIdentity = { pid: number; startedAt: string };

/** The start time of a process as the system tells it; undefined without one, or for a zombie. */
export function startOf(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    const ps = Bun.spawnSync(['ps', '-o', 'lstart=', '-p', String(pid)], { stderr: 'ignore' });
    return ps.stdout.toString().trim() || undefined;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold anything; the state and 18 more fields precede the time.
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
