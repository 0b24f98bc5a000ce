import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { niced, reniceSession } from '../../../src/launcher/bun-process.ts';

const hasProc = existsSync('/proc/self/stat');
const hasAutogroups = existsSync('/proc/self/autogroup');

async function withSleeper(command: string[], look: (pid: number) => Promise<void>) {
  const child = Bun.spawn(command, { detached: true });
  try {
    await look(child.pid);
  } finally {
    child.kill('SIGKILL');
    await child.exited;
  }
}

describe('a process that gives way', () => {
  test.skipIf(!hasProc)('runs at a lower priority than this one', async () => {
    const command = niced(['cat', '/proc/self/stat']);
    const output = await new Response(Bun.spawn(command, { stdout: 'pipe' }).stdout).text();
    const afterName = output.slice(output.lastIndexOf(')') + 2).split(' ');
    expect(Number(afterName[16])).toBe(Math.min(getPriority() + 10, 19));
  });

  test.skipIf(!hasAutogroups)('does so as a session too', async () => {
    await withSleeper(['sleep', '60'], async (pid) => {
      const group = () => readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim();
      expect(group()).toEndWith(' nice 0');
      await reniceSession(pid);
      expect(group()).toEndWith(' nice 10');
    });
  });

  test('may be gone by then', async () => {
    await expect(reniceSession(2 ** 22)).resolves.toBeUndefined();
  });
});
