import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
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
    abandoned: ofThisProcess('worker-1').replace(`~${process.pid}~`, `~${gone}~`),
    ofEarlierRelease: `lake.${hostname()}.${gone}`,
    quietOfAnotherHost: `another.example~${gone}~123~worker-1`,
    running: ofThisProcess('worker-1'),
    ofAnotherHost: `other.example~${gone}~123~worker-1`,
    ofAnotherContainer: `${hostname()}-1~${gone}~123~worker-1`,
    query: 'query-0',
    sql: `sql-${gone}`,
  };
  for (const name of Object.values(names)) {
    mkdirSync(join(dataDir, 'tmp', name), { recursive: true });
    writeFileSync(join(dataDir, 'tmp', name, 'spilled'), 'x');
  }
  const [eightDaysAgo, old] = [new Date(Date.now() - 8 * 24 * 3_600_000), Object.values(names)];
  for (const name of [...old.slice(1, 3), names.query, names.sql]) {
    utimesSync(join(dataDir, 'tmp', name), eightDaysAgo, eightDaysAgo);
  }
  expect(spillFolder(dataDir, 'worker-2')).toStartWith(join(dataDir, 'tmp'));
  const left = Object.values(names).filter((name) => existsSync(join(dataDir, 'tmp', name)));
  expect(left).toEqual(Object.values(names).slice(3));
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
