import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunnerOptions, startRunner } from '../../../src/modules/preview/runner/process.ts';
import type { RunnerMessage } from '../../../src/modules/preview/runner/protocol.ts';

const folder = mkdtempSync(join(tmpdir(), 'preview-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: string, options: Partial<RunnerOptions> = {}) {
  const messages: RunnerMessage[] = [];
  const sessionId = `prv_${crypto.randomUUID()}`;
  const runner = await startRunner({
    command,
    appId: 'app_1',
    sessionId,
    folder: join(folder, sessionId),
    maxOutputBytes: 1_000_000,
    onMessage: (message) => messages.push(message),
    ...options,
  });
  return { runner, messages, sessionId };
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    // A zombie that nobody has waited for yet is not alive.
    const [state] = Bun.spawnSync(['ps', '-o', 'state=', '-p', String(pid)]).stdout.toString();
    return state !== undefined && state !== 'Z';
  } catch {
    return false;
  }
};

/** The process ids that a command wrote into its folder. */
async function pidsOf(sessionId: string, count: number): Promise<number[]> {
  const file = join(folder, sessionId, 'pids');
  for (let tries = 0; tries < 500; tries += 1) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const pids = text.split('\n').filter((each) => each !== '');
    if (pids.length >= count) return pids.map(Number);
    await Bun.sleep(10);
  }
  throw new Error(`${file} never had ${count} lines`);
}

describe('startRunner', () => {
  test('hands on messages, keeps the output, and says how it ended', async () => {
    const { runner, messages } = await run(
      `echo '{"preview":{"phase":"installing"}}'; echo out; echo oops >&2; exit 3`,
    );
    expect(await runner.ended).toEqual({ code: 3, tooMuchOutput: false });
    expect(messages).toEqual([{ phase: 'installing' }]);
    expect(runner.tail().split('\n').toSorted()).toEqual(['oops', 'out']);
  });

  test('the environment is scrubbed, the folder its own', async () => {
    process.env.SECRET_OF_THE_SERVICE = 'hidden';
    const { runner, sessionId } = await run('env; pwd');
    await runner.ended;
    const lines = runner.tail().split('\n');
    const names = lines.filter((each) => each.includes('=')).map((each) => each.split('=')[0]);
    expect(names.filter((name) => !/^(_|SHLVL|OLDPWD|PWD)$/.test(name ?? '')).toSorted()).toEqual([
      'HOME',
      'LANG',
      'PATH',
      'PREVIEW_APP_ID',
      'PREVIEW_SESSION_ID',
      'TERM',
      'TMPDIR',
    ]);
    expect(lines).toContain(join(folder, sessionId));
    expect(runner.tail()).not.toContain('hidden');
  });

  const TREE = `
    echo $$ >> pids
    (sleep 300 & echo $! >> pids; wait) &
    setsid sh -c 'echo $$ >> pids; trap "" TERM; while true; do sleep 300; done' &
    echo '{"preview":{"phase":"ready"}}'
  `;

  test('stopping ends the whole tree, also what left the group and ignores requests', async () => {
    const { runner, sessionId } = await run(`${TREE} wait`);
    const pids = await pidsOf(sessionId, 3);
    expect(pids.every(isAlive)).toBe(true);
    await runner.stop();
    expect(pids.filter(isAlive)).toEqual([]);
    await runner.stop();
  }, 15_000);

  test('what a runner leaves behind when it ends by itself is ended too', async () => {
    const { runner, sessionId } = await run(`${TREE} sleep 0.1; exit 0`);
    const pids = await pidsOf(sessionId, 3);
    expect((await runner.ended).code).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('too much output ends it', async () => {
    const { runner } = await run('yes flood', { maxOutputBytes: 100_000 });
    expect((await runner.ended).tooMuchOutput).toBe(true);
  });

  test('one that is killed has no code', async () => {
    const { runner, sessionId } = await run('echo $PPID > pids; sleep 300');
    const [guard = 0] = await pidsOf(sessionId, 1);
    process.kill(guard, 'SIGKILL');
    expect((await runner.ended).code).toBeNull();
  });

  test('it does not outlive the worker', async () => {
    const script = join(folder, 'worker.ts');
    const source = join(import.meta.dir, '../../../src/modules/preview/runner/process.ts');
    const own = join(folder, 'orphan');
    await Bun.write(
      script,
      `import { startRunner } from ${JSON.stringify(source)};
       await startRunner({ command: 'echo $$ >> pids; exec sleep 300', appId: 'a', sessionId: 'orphan',
         folder: ${JSON.stringify(own)}, maxOutputBytes: 1000, onMessage: () => {} });
       await Bun.sleep(300_000);`,
    );
    const worker = Bun.spawn([process.execPath, script], { stdout: 'ignore', stderr: 'ignore' });
    const [pid = 0] = await pidsOf('orphan', 1);
    expect(isAlive(pid)).toBe(true);
    worker.kill('SIGKILL');
    await worker.exited;
    while (isAlive(pid)) await Bun.sleep(20);
  }, 15_000);
});
