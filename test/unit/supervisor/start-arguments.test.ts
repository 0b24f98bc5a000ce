import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { newDataDir, startEnvironment } from '../../support/instance.ts';
import { ROOT } from '../../support/sources.ts';

function start(...args: string[]) {
  const dataDir = newDataDir();
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [process.execPath, join(ROOT, 'scripts/start.ts'), ...args],
    { cwd: ROOT, env: startEnvironment(dataDir) },
  );
  return {
    exitCode,
    out: stdout.toString(),
    errors: stderr.toString(),
    hasBegun: existsSync(dataDir),
  };
}

test.each(['--help', '-h'])('%s says how the service is started, and starts nothing', (word) => {
  const { exitCode, out, hasBegun } = start(word);
  expect({ exitCode, hasBegun }).toEqual({ exitCode: 0, hasBegun: false });
  expect(out).toStartWith('Usage: bun run start\n');
  expect(out).toContain('docs/configuration.md');
});

test.each(['--port=4000', 'help'])('an unknown argument (%s) starts nothing', (word) => {
  const { exitCode, errors, hasBegun } = start('--reload', word);
  expect({ exitCode, hasBegun }).toEqual({ exitCode: 2, hasBegun: false });
  expect(errors).toStartWith(`"${word}" is no option of the start.`);
});
