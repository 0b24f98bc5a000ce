import { readdirSync, readFileSync } from 'node:fs';

/** The unit of `/proc/<pid>/stat`. */
const TICK_MS = 10;

type Stat = { parent: number; ownMs: number; endedMs: number };

/** Of all threads; `endedMs` of children that are gone. Null when the process is gone. */
function statOf(pid: number): Stat | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ms = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) * TICK_MS;
    return { parent: Number(fields[1]), ownMs: ms(11), endedMs: ms(13) };
  } catch {
    return null;
  }
}

/** Milliseconds of processor that all threads of a process have had; null when it is gone. */
export function processorMs(pid: number): number | null {
  return statOf(pid)?.ownMs ?? null;
}

/** Of a process and its children, those that ended included. */
export function treeMs(pid: number): number {
  const root = statOf(pid);
  const others = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return others
    .map((entry) => statOf(Number(entry)))
    .filter((stat) => stat?.parent === pid)
    .reduce((sum, stat) => sum + (stat?.ownMs ?? 0), (root?.ownMs ?? 0) + (root?.endedMs ?? 0));
}
