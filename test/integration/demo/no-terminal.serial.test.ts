import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import { newDataDir, startEnvironment } from '../../support/instance.ts';
import { ROOT } from '../../support/sources.ts';
import { keepSaid, readText } from '../../support/streams.ts';

const STAYS = 'This goes on';

test('a demo whose output is no terminal ends by itself when everything is there', async () => {
  const words = ['--people', '120', '--listen', `127.0.0.1:${await freePort()}`];
  const child = Bun.spawn([process.execPath, join(ROOT, 'scripts/demo.ts'), ...words], {
    cwd: ROOT,
    env: startEnvironment(newDataDir(), { FX_RATES_URL: 'file:///nowhere.csv' }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let said = '';
  const hear = (text: string) => {
    keepSaid('demo', text);
    said += text;
    // It would wait for a Ctrl-C that nobody types.
    if (said.includes(STAYS)) child.kill('SIGKILL');
  };
  await Promise.all([readText(child.stdout, hear), readText(child.stderr, hear)]);
  expect(await child.exited).toBe(0);
  expect(said).toContain('Sign in ');
  expect(said).toContain('"bun run demo --remove" takes all of it away.');
  expect(said).not.toContain(STAYS);
});
