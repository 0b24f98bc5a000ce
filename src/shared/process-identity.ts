import { readFileSync } from 'node:fs';

/** Distinguishes reused pids. */
export type ProcessIdentity = { pid: number; startedAt: string };

/** Undefined for a missing process or a zombie. */
export function processStart(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    const ps = Bun.spawnSync(['ps', '-o', 'lstart=', '-p', String(pid)], { stderr: 'ignore' });
    return ps.stdout.toString().trim() || undefined;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The bracketed name may hold anything; state and 18 fields precede the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export function identify(pid: number): ProcessIdentity {
  return { pid, startedAt: processStart(pid) ?? 'gone' };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return processStart(identity.pid) === identity.startedAt;
}
