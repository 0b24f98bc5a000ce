import { describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logTail, startServer } from '../../../src/launcher/embedded/server.ts';
import { canReach } from '../../../src/shared/account.ts';
import { identify, isAlive } from '../../../src/shared/process-identity.ts';
import { until } from '../../support/until.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'server-'));
const MODULE = join(import.meta.dir, '../../../src/launcher/embedded/server.ts');

function start(script: string, folder = newFolder()) {
  return startServer({
    command: ['sh', '-c', script],
    cwd: folder,
    logPath: join(folder, 'log'),
    stopSignal: 'SIGTERM',
  });
}

async function untilLogged(folder: string, text: string): Promise<void> {
  await until('it is logged', async () => (await logTail(join(folder, 'log'))).includes(text));
}

describe('a server process', () => {
  test('writes to its log, in its folder, and knows nothing of our environment', async () => {
    const folder = newFolder();
    process.env.SERVER_TEST_SECRET = 'secret';
    await start('pwd; env; echo problem >&2', folder).exited;
    const log = readFileSync(join(folder, 'log'), 'utf8');
    expect(log).toContain(folder);
    expect(log).toContain('problem');
    expect(log).not.toContain('SERVER_TEST_SECRET');
    expect(statSync(join(folder, 'log')).mode & 0o777).toBe(0o600);
  });

  test('has the exit code, or null when a signal ended it', async () => {
    expect(await start('exit 7').exited).toBe(7);
    const server = start('exec sleep 600');
    server.kill('SIGKILL');
    expect(await server.exited).toBeNull();
  });

  test('is asked to stop, and killed when it does not', async () => {
    const folder = newFolder();
    const server = start("trap '' TERM; echo ready; while :; do sleep 0.1; done", folder);
    await untilLogged(folder, 'ready');
    await server.stop(50);
    expect(await server.exited).toBeNull();
    await server.stop(50);
  });

  for (const [name, command] of [
    ['ends when its parent is killed', ['sleep', '600']],
    [
      'ends so even where it ignores its signal',
      ['sh', '-c', "trap '' TERM; while :; do sleep 0.1; done"],
    ],
  ] as const) {
    test(
      name,
      async () => {
        const folder = newFolder();
        const script = `import { startServer } from ${JSON.stringify(MODULE)};
          const server = startServer({ command: ${JSON.stringify(command)}, cwd: '/', logPath:
            ${JSON.stringify(join(folder, 'log'))}, stopSignal: 'SIGTERM' });
          console.log(server.pid); setInterval(() => {}, 1000);`;
        const parent = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' });
        const { value } = await parent.stdout.getReader().read();
        const server = identify(Number(new TextDecoder().decode(value)));
        expect(isAlive(server)).toBe(true);
        parent.kill('SIGKILL');
        await until('the server is gone', () => !isAlive(server));
      },
      { timeout: 120_000 },
    );
  }

  test('a log that has grown large is moved aside', async () => {
    const folder = newFolder();
    const log = join(folder, 'log');
    writeFileSync(log, 'old');
    truncateSync(log, 17 * 1024 * 1024);
    await start('echo new', folder).exited;
    expect(readFileSync(log, 'utf8')).toBe('new\n');
    expect(statSync(`${log}.1`).size).toBe(17 * 1024 * 1024);
  });
});

describe('reaching a path', () => {
  test('needs every folder above it to let the account search', async () => {
    const { chmod, mkdir } = await import('node:fs/promises');
    const root = newFolder();
    const inner = join(root, 'a', 'b');
    await mkdir(inner, { recursive: true });
    const stranger = { uid: 54_321, gid: 54_321 };
    const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    await chmod(root, 0o711);
    expect(canReach(join(inner, 'file'), stranger)).toBe(true);
    await chmod(join(root, 'a'), 0o700);
    expect(canReach(join(inner, 'file'), stranger)).toBe(false);
    expect(canReach(join(inner, 'file'), owner)).toBe(true);
    expect(canReach(join(root, 'a'), stranger)).toBe(true);
  });
});
