import { writeFile } from 'node:fs/promises';

/** DuckDB takes every core it gets; requests come first. */
const NICENESS = 10;

/** The command under `nice`; unchanged where there is none. */
export function niced(command: readonly string[]): string[] {
  const nice = Bun.which('nice');
  return nice ? [nice, '-n', String(NICENESS), ...command] : [...command];
}

/**
 * Lowers the priority of a process's session: Linux shares cores between sessions first
 * (`sched_autogroup`), and `nice` only counts within one. Elsewhere it does nothing.
 */
export async function reniceSession(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/autogroup`, String(NICENESS)).catch(() => undefined);
}
