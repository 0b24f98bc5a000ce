import { describe, expect, test } from 'bun:test';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processMessage } from '../../../src/launcher/bun-process.ts';

const MODULE = join(import.meta.dir, '../../../src/app/processes/run.ts');

/** A process of the service whose start is `body`, as the supervisor would spawn it. */
function spawnProcess(body: string, env: Record<string, string> = {}) {
  const script = `import { runProcess } from ${JSON.stringify(MODULE)};
    const note = (text) => process.send({ note: text });
    await runProcess('worker', async ({ config, index }) => { ${body} });`;
  const entry = join(mkdtempSync(join(tmpdir(), 'run-')), 'worker.ts');
  writeFileSync(entry, script);
  const messages: unknown[] = [];
  const waiting: (() => void)[] = [];
  const child = Bun.spawn([process.execPath, entry, '3'], {
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'run-')),
      LOG_FORMAT: 'json',
      ...env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
    ipc: (message) => {
      if (processMessage.check(message) && message.type === 'alive') return;
      messages.push(message);
      for (const wake of waiting.splice(0)) wake();
    },
  });
  const message = async (index: number) => {
    while (messages.length <= index) await new Promise<void>((resolve) => waiting.push(resolve));
    return messages[index];
  };
  return { child, message, messages };
}

describe('a process of the service', () => {
  test('says when it is ready, and with what', async () => {
    const { child, message } = spawnProcess(
      "return { details: { address: 'http://x:1' }, stop: async () => note('stopped') };",
    );
    const ready = await message(0);
    expect(processMessage.check(ready)).toBe(true);
    expect(ready).toEqual({ type: 'ready', details: { address: 'http://x:1' } });
    child.kill('SIGTERM');
    expect(await message(1)).toEqual({ note: 'stopped' });
    expect(await child.exited).toBe(0);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('finishes what it does on %s', async (signal) => {
    const { child, message } = spawnProcess(
      "return { stop: async () => { await Bun.sleep(100); note('drained'); } };",
    );
    await message(0);
    child.kill(signal);
    child.kill(signal);
    expect(await message(1)).toEqual({ note: 'drained' });
    expect(await child.exited).toBe(0);
  });

  test('finishes what it does when the supervisor is gone', async () => {
    const { child, message } = spawnProcess('return { stop: async () => {} };');
    await message(0);
    child.disconnect();
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stdout).text()).toContain('the supervisor is gone');
  });

  test('a stop that was asked for during the start comes after it', async () => {
    const { child, message } = spawnProcess(
      "note('starting'); await Bun.sleep(300); return { stop: async () => note('stopped') };",
    );
    await message(0);
    child.kill('SIGTERM');
    expect(await message(2)).toEqual({ note: 'stopped' });
    expect(await child.exited).toBe(0);
  });

  test('a drain that hangs is given up', async () => {
    const { child, message } = spawnProcess('return { stop: () => new Promise(() => {}) };');
    await message(0);
    child.kill('SIGTERM');
    expect(await child.exited).toBe(1);
    // The drain alone takes 4.5 s.
  }, 1_200_000);

  test('a start that fails is logged, and never ready', async () => {
    const { child, messages } = spawnProcess("throw new Error('no port');");
    expect(await child.exited).toBe(1);
    expect(messages).toEqual([]);
    expect(await new Response(child.stdout).text()).toContain('no port');
  });

  test.each([
    "setTimeout(() => { throw new Error('fault'); }, 10);",
    "setTimeout(() => { Promise.reject(new Error('fault')); }, 10);",
  ])('a fault that nobody caught ends it: %s', async (fault) => {
    const { child } = spawnProcess(`${fault} return { stop: async () => {} };`);
    expect(await child.exited).toBe(1);
    expect(await new Response(child.stdout).text()).toContain('fault');
  });

  test('a wrong configuration ends it, naming the variable', async () => {
    const { child } = spawnProcess('return { stop: async () => {} };', { PORT: 'x' });
    expect(await child.exited).toBe(1);
    expect(await new Response(child.stderr).text()).toContain('PORT must be');
  });

  test('knows its number and its configuration', async () => {
    const body = 'note([config.port, index]); return { stop: async () => {} };';
    const { child, message } = spawnProcess(body, { PORT: '4321' });
    expect(await message(0)).toEqual({ note: [4321, 3] });
    child.kill('SIGKILL');
  });
});
