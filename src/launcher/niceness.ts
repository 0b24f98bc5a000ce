import { writeFile } from 'node:fs/promises';

/** DuckDB takes every core it gets; requests come first. */
const NICENESS = 10;

/** The command, run so that it gives way to others; unchanged where there is no `nice`. */
export function giveWay(command: readonly string[]): string[] {
  const nice = Bun.which('nice');
  return nice ? [nice, '-n', String(NICENESS), ...command] : [...command];
}

/**
 * Linux shares cores between sessions first (`sched_autogroup`), and `nice` then only counts within
 * one. A process with a session of its own therefore needs this too; elsewhere it does nothing.
 */
export async function giveWayAsSession(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/autogroup`, String(NICENESS)).catch(() => undefined);
}
