import { writeFile } from 'node:fs/promises';

const NICENESS = 10;

/** Unchanged where `nice` is missing. */
export function niced(command: readonly string[]): string[] {
  const nice = Bun.which('nice');
  return nice ? [nice, '-n', String(NICENESS), ...command] : [...command];
}

/** `nice` counts only within a session (`sched_autogroup`). */
export async function reniceSession(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/autogroup`, String(NICENESS)).catch(() => undefined);
}
