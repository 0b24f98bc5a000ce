import { describe, expect, test } from 'bun:test';
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireLock } from '../../../src/launcher/lock.ts';
import { SECOND_MS } from '../../../src/shared/time.ts';
import { pause } from '../../support/pause.ts';

const MODULE = join(import.meta.dir, '../../../src/launcher/lock.ts');
const newFolder = () => join(mkdtempSync(join(tmpdir(), 'lock-')), 'data');

/** Another process that takes the lock, says so, and holds it until it is killed. */
async function holdElsewhere(dataDir: string) {
  const script = `import { acquireLock } from ${JSON.stringify(MODULE)};
    const lock = await acquireLock(${JSON.stringify(dataDir)});
    process.on('SIGTERM', () => { lock.announceStop(); console.log('stopping'); });
    process.on('SIGUSR2', () => process.exit(0));
    console.log('held'); setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' });
  const reader = child.stdout.getReader();
  const says = async (text: string) =>
    expect(new TextDecoder().decode((await reader.read()).value)).toContain(text);
  await says('held');
  return Object.assign(child, { says });
}

describe('the lock on a data folder', () => {
  test('makes the folder for its owner only, and can be taken again once released', async () => {
    const dataDir = newFolder();
    for (let round = 0; round < 3; round += 1) (await acquireLock(dataDir)).release();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  test('is refused while another process holds it, naming that process', async () => {
    const dataDir = newFolder();
    const holder = await holdElsewhere(dataDir);
    const refused = acquireLock(dataDir);
    await expect(refused).rejects.toThrow(`(process ${holder.pid}) uses ${dataDir}`);
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
    (await acquireLock(dataDir)).release();
  });

  test('is waited for while its holder stops', async () => {
    const dataDir = newFolder();
    const holder = await holdElsewhere(dataDir);
    holder.kill('SIGTERM');
    await holder.says('stopping');
    const acquired = acquireLock(dataDir);
    // Longer than one is waited for that does not stop.
    await pause(2 * SECOND_MS, 'a holder that takes its time');
    holder.kill('SIGUSR2');
    (await acquired).release();
  });

  test('of two that ask at the same moment, one has it', async () => {
    const dataDir = newFolder();
    const script = `import { acquireLock } from ${JSON.stringify(MODULE)};
      try { const lock = await acquireLock(${JSON.stringify(dataDir)});
    process.on('SIGTERM', () => { lock.announceStop(); console.log('stopping'); });
    process.on('SIGUSR2', () => process.exit(0));
    console.log('held'); } catch { console.log('refused'); }
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
