import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import { newDataDir, startEnvironment } from '../../support/instance.ts';
import { ROOT } from '../../support/sources.ts';
import { keepSaid, readText } from '../../support/streams.ts';

const STAYS = 'This goes on';

/** What a demo without a terminal said, and how it ended; `atStay` when it says that it goes on. */
async function runDemo(words: string[], atStay: (said: string) => Promise<NodeJS.Signals>) {
  const all = ['--people', '30', '--listen', `127.0.0.1:${await freePort()}`, ...words];
  const dataDir = newDataDir();
  const child = Bun.spawn([process.execPath, join(ROOT, 'scripts/demo.ts'), ...all], {
    cwd: ROOT,
    env: startEnvironment(dataDir, { FX_RATES_URL: 'file:///nowhere.csv' }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let said = '';
  let signalled: Promise<void> | null = null;
  const hear = (text: string) => {
    keepSaid('demo', text);
    said += text;
    if (said.includes(STAYS)) signalled ??= atStay(said).then((signal) => child.kill(signal));
  };
  await Promise.all([readText(child.stdout, hear), readText(child.stderr, hear)]);
  await signalled;
  return { code: await child.exited, said, dataDir };
}

test('a demo whose output is no terminal ends by itself when everything is there', async () => {
  // It would wait for a Ctrl-C that nobody types.
  const { code, said, dataDir } = await runDemo([], async () => 'SIGKILL');
  expect(code).toBe(0);
  expect(said).toContain('Sign in ');
  for (const command of ['bun run analyst -- --org', 'bun run demo --remove']) {
    expect(said).toContain(`\n  DATA_DIR=${dataDir} ${command}`);
  }
  expect(said).not.toContain(STAYS);
});

test('a demo that was told to stay serves its console until Ctrl-C', async () => {
  const answers: number[] = [];
  const { code, said } = await runDemo(['--stay'], async (sofar) => {
    const [, url = ''] = /Sign in\s+(\S+)/.exec(sofar) ?? [];
    answers.push((await fetch(url)).status);
    return 'SIGINT';
  });
  expect(said).toContain(STAYS);
  expect(answers).toEqual([200]);
  expect([0, 130]).toContain(code);
});
