import { describe, expect, test } from 'bun:test';
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireLock } from '../../../src/launcher/lock.ts';

const MODULE = join(import.meta.dir, '../../../src/launcher/lock.ts');
const newFolder = () => join(mkdtempSync(join(tmpdir(), 'lock-')), 'data');

/** Another process that takes the lock, says so, and holds it until it is killed. */
async function holdElsewhere(dataDir: string) {
  const script = `import { acquireLock } from ${JSON.stringify(MODULE)};
    acquireLock(${JSON.stringify(dataDir)}); console.log('held'); setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' });
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toContain('held');
  return child;
}

describe('the lock on a data folder', () => {
  test('makes the folder for its owner only, and can be taken again once released', () => {
    const dataDir = newFolder();
    for (let round = 0; round < 3; round += 1) acquireLock(dataDir).release();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  test('is refused while another process holds it, naming that process', async () => {
    const dataDir = newFolder();
    const holder = await holdElsewhere(dataDir);
    expect(() => acquireLock(dataDir)).toThrow(`(process ${holder.pid}) uses ${dataDir}`);
    holder.kill('SIGKILL');
    await holder.exited;
  });

  test('goes with a process that is killed, however often', async () => {
    const dataDir = newFolder();
    for (let round = 0; round < 3; round += 1) {
      const holder = await holdElsewhere(dataDir);
      holder.kill('SIGKILL');
      await holder.exited;
    }
    acquireLock(dataDir).release();
  });

  test('of two that ask at the same moment, one has it', async () => {
    const dataDir = newFolder();
    const script = `import { acquireLock } from ${JSON.stringify(MODULE)};
      try { acquireLock(${JSON.stringify(dataDir)}); console.log('held'); } catch { console.log('refused'); }
      await Bun.sleep(60_000);`;
    const children = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' }),
    );
    const answers = await Promise.all(
      children.map(async ({ stdout }) => {
        const { value } = await stdout.getReader().read();
        return new TextDecoder().decode(value).trim();
      }),
    );
    for (const child of children) child.kill('SIGKILL');
    expect(answers.toSorted()).toEqual(['held', 'refused', 'refused', 'refused']);
  });
});
