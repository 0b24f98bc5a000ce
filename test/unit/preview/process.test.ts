import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config.ts';
import {
  chooseIsolation,
  namespaceCommand,
  runnerFolder,
} from '../../../src/modules/preview/runner/isolation.ts';
import { type RunnerOptions, startRunner } from '../../../src/modules/preview/runner/process.ts';
import type { RunnerMessage } from '../../../src/modules/preview/runner/protocol.ts';
import { until } from '../../support/until.ts';
import { pause } from '../../support/pause.ts';

const folder = mkdtempSync(join(tmpdir(), 'preview-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function isolationOf(env: Record<string, string>) {
  const isolation = chooseIsolation(loadConfig({ DATA_DIR: folder, ...env }));
  if (typeof isolation === 'string') throw new Error(isolation);
  return isolation;
}
const none = isolationOf({ PREVIEW_ISOLATION: 'none' });

async function run(command: string, options: Partial<RunnerOptions> = {}) {
  const messages: RunnerMessage[] = [];
  const sessionId = `prv_${crypto.randomUUID()}`;
  const runner = await startRunner({
    command,
    appId: 'app_1',
    sessionId,
    folder: join(folder, sessionId),
    maxOutputBytes: 1_000_000,
    isolation: none,
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
    await pause(10, 'looks at the file');
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
  });

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
       const isolation = { commandLine: (_, command) => ['sh', '-c', command], prepare: () => Bun.$\`mkdir -p ${own}\` };
       await startRunner({ command: 'echo $$ >> pids; exec sleep 300', appId: 'a', sessionId: 'orphan',
         folder: ${JSON.stringify(own)}, maxOutputBytes: 1000, isolation, onMessage: () => {} });
       await Bun.sleep(300_000);`,
    );
    const worker = Bun.spawn([process.execPath, script], { stdout: 'ignore', stderr: 'ignore' });
    const [pid = 0] = await pidsOf('orphan', 1);
    expect(isAlive(pid)).toBe(true);
    worker.kill('SIGKILL');
    await worker.exited;
    await until('the child is gone', () => !isAlive(pid));
  });
});

const isRoot = process.getuid?.() === 0;
const probe = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--mount-proc', 'true'];
const hasNamespaces =
  Bun.which('unshare') !== null && Bun.spawnSync(['unshare', ...probe]).exitCode === 0;
/** Reads what a runner must not see, and says what it got. */
const SPY = `cat "$SERVICE/secrets/key" && echo LEAKED
cat "/proc/$SERVICE_PID/environ" | tr '\\0' '\\n' | grep -a SECRET_OF && echo LEAKED
for each in /proc/[0-9]*; do tr '\\0' '\\n' 2>/dev/null < $each/environ | grep -a SECRET_OF && echo LEAKED; done
touch mine && echo "writes in $(pwd)"`;

/** The folder of a service with a secret in it, and the command that spies there. */
function service() {
  const dataDir = mkdtempSync('/tmp/preview-service-');
  mkdirSync(join(dataDir, 'secrets'), { mode: 0o700 });
  writeFileSync(join(dataDir, 'secrets', 'key'), 'the master key');
  const command = `SERVICE=${dataDir}; SERVICE_PID=${process.pid}; ${SPY}`;
  return { dataDir, command, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}

describe('an isolated runner', () => {
  const config = (dataDir: string) => loadConfig({ DATA_DIR: dataDir });

  test.skipIf(!isRoot)('under root has an account that reads nothing of the service', async () => {
    process.env.SECRET_OF_THE_SERVICE = 'hidden';
    const { dataDir, command, remove } = service();
    const isolation = chooseIsolation(config(dataDir));
    if (typeof isolation === 'string') throw new Error(isolation);
    const own = runnerFolder(config(dataDir), `test_${process.pid}`);
    try {
      const { runner } = await run(`id -u; ${command}`, { folder: own, isolation });
      await runner.ended;
      expect(runner.tail()).not.toContain('LEAKED');
      expect(runner.tail()).not.toContain('the master key');
      expect(runner.tail()).toContain(`writes in ${own}`);
      expect(runner.tail().split('\n')).not.toContain('0');
    } finally {
      rmSync(own, { recursive: true, force: true });
      remove();
    }
  });

  test.skipIf(!hasNamespaces)('of an ordinary user sees no folder of the service', async () => {
    const { dataDir, command, remove } = service();
    const own = join(dataDir, 'previews', 'app_1');
    mkdirSync(own, { recursive: true });
    const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    if (isRoot) Bun.spawnSync(['chown', '-R', '65534:65534', dataDir]);
    const { uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0 } = user;
    const run = { folder: own, command, hidden: [dataDir], uid, gid };
    // The same user holds the secret outside, as the worker does.
    const holder = Bun.spawn(['sleep', '300'], {
      env: { SECRET_OF_THE_SERVICE: 'hidden' },
      ...user,
    });
    const child = Bun.spawn(namespaceCommand(run), {
      cwd: own,
      env: { PATH: process.env.PATH },
      stdout: 'pipe',
      stderr: 'pipe',
      ...user,
    });
    const output = await new Response(child.stdout).text();
    await child.exited;
    holder.kill();
    expect(output).not.toContain('LEAKED');
    expect(output).toContain(`writes in ${own}`);
    expect(existsSync(join(own, 'mine'))).toBe(true);
    remove();
  });

  test('is not started unisolated unless the operator says so', () => {
    const isolation = chooseIsolation(config(folder));
    if (typeof isolation === 'string') expect(isolation).toContain('PREVIEW_ISOLATION=none');
    else expect(isolation.commandLine(folder, 'x')).not.toEqual(['sh', '-c', 'x']);
    expect(none.commandLine(folder, 'x')).toEqual(['sh', '-c', 'x']);
  });
});
