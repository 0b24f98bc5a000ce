import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ofThisProcess } from '../../../src/storage/leftovers.ts';
import { spillFolder } from '../../../src/storage/spill-folder.ts';

const MODULE = join(import.meta.dir, '../../../src/storage/spill-folder.ts');

function runScript(script: string): number {
  const child = Bun.spawnSync([process.execPath, '-e', script]);
  expect(child.exitCode).toBe(0);
  return child.pid;
}

test('the folder of an ended process is removed, those of others stay', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'spill-'));
  const gone = runScript('');
  const names = {
    abandoned: `${hostname()}~${gone}~123~worker-1`,
    running: ofThisProcess('worker-1'),
    ofAnotherHost: `other.example~${gone}~123~worker-1`,
    query: 'query-0',
    sql: `sql-${gone}`,
  };
  for (const name of Object.values(names)) {
    mkdirSync(join(dataDir, 'tmp', name), { recursive: true });
    writeFileSync(join(dataDir, 'tmp', name, 'spilled'), 'x');
  }
  expect(spillFolder(dataDir, 'worker-2')).toStartWith(join(dataDir, 'tmp'));
  const left = Object.values(names).filter((name) => existsSync(join(dataDir, 'tmp', name)));
  expect(left).toEqual(Object.values(names).slice(1));
});

test('a process removes its own as it exits', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'spill-'));
  const script = `
    const { spillFolder } = await import(${JSON.stringify(MODULE)});
    const dir = spillFolder(${JSON.stringify(dataDir)}, 'undo');
    require('node:fs').mkdirSync(dir, { recursive: true });
    process.exit(0);`;
  runScript(script);
  expect(
    Array.from(new Bun.Glob('*').scanSync({ cwd: join(dataDir, 'tmp'), onlyFiles: false })),
  ).toEqual([]);
});
