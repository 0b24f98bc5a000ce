import { readFileSync } from 'node:fs';

/** A process that cannot be mistaken for a later one with the same pid. */
export type ProcessIdentity = { pid: number; startedAt: string };

/** The start time of a process in the system's own format; undefined when there is none. */
function startOf(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    const ps = Bun.spawnSync(['ps', '-o', 'lstart=', '-p', String(pid)], { stderr: 'ignore' });
    return ps.stdout.toString().trim() || undefined;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields after the name (in brackets, of any characters): the state is 0, the start time 19.
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
