import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const PATIENCE_MS = 8_000;

function readable(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Processes that stand in `runDir` or carry it in their environment. Linux only. */
function processesOf(runDir: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter(
      (pid) =>
        readable(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(runDir) ||
        readable(() => readFileSync(`/proc/${pid}/environ`, 'latin1')).includes(runDir),
    );
}

/** Waits for what is just ending, then kills the rest; returns the command lines of the rest. */
export async function endLeftovers(runDir: string): Promise<string[]> {
  const deadline = performance.now() + PATIENCE_MS;
  while (processesOf(runDir).length > 0 && performance.now() < deadline) await Bun.sleep(100);
  return processesOf(runDir).map((pid) => {
    const command = readable(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself in between.
    }
    return `${pid} ${command.replaceAll('\0', ' ').trim()}`;
  });
}
