import { readdir } from 'node:fs/promises';
import { errorMessage } from '../../../shared/errors.ts';

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (thrown) {
    // Ended, or the id was reused.
    if (!/ESRCH|EPERM|no such process|not permitted/i.test(errorMessage(thrown))) throw thrown;
  }
}

export function signalGroup(leader: number, name: NodeJS.Signals): void {
  signal(-leader, name);
}

/** Including daemons outside of the group. Linux only. */
async function processesWith(name: string, value: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => []);
  const marker = `${name}=${value}`;
  const found = await Promise.all(
    entries
      .filter((entry) => /^\d+$/.test(entry))
      .map(async (entry) => {
        const environment = await Bun.file(`/proc/${entry}/environ`)
          .text()
          .catch(() => '');
        return environment.split('\0').includes(marker) ? Number(entry) : null;
      }),
  );
  return found.flatMap((pid) => (pid === null || pid === process.pid ? [] : pid));
}

/** Includes descendants. */
export async function killMarked(name: string, value: string): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    const pids = await processesWith(name, value);
    if (pids.length === 0) return;
    for (const pid of pids) signal(pid, 'SIGKILL');
    await Bun.sleep(20);
  }
}
