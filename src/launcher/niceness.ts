import { writeFile } from 'node:fs/promises';

/** Requests before DuckDB, which takes every core. */
const NICENESS = 10;

/** Unchanged where `nice` is missing. */
export function niced(command: readonly string[]): string[] {
  const nice = Bun.which('nice');
  return nice ? [nice, '-n', String(NICENESS), ...command] : [...command];
}

/** Linux shares cores between sessions first (`sched_autogroup`); `nice` counts only within one. */
export async function reniceSession(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/autogroup`, String(NICENESS)).catch(() => undefined);
}
