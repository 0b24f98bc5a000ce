import { readFileSync } from 'node:fs';
import { statFields } from './threads.ts';

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
    const fields = statFields(stat);
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
