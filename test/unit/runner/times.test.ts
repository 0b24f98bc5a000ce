import { expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMeasures } from '../../../scripts/test/seconds.ts';
import { timesTable } from '../../../scripts/test/times.ts';
import { ROOT } from '../../support/sources.ts';

const WASTEFUL = `
import { afterAll, test } from 'bun:test';
test('burns 0.2 s of a child', () => {
  const code = 'let sum = 0; while (process.cpuUsage().user < 200_000) for (let i = 0; i < 1e6; i += 1) sum += i;';
  Bun.spawnSync([process.execPath, '-e', code]);
});
test('sleeps', () => Bun.sleep(1));
`;

test('each file of a shared process is measured by itself, with its children and waits', async () => {
  const dir = join(mkdtempSync(join(tmpdir(), 'times-')), 'test');
  const paths = [join(dir, 'a.test.ts'), join(dir, 'b.test.ts')];
  await Bun.write(paths[0] ?? '', WASTEFUL);
  await Bun.write(paths[1] ?? '', `import { test } from 'bun:test'; test('rests', () => {});`);
  const file = join(dir, 'times');
  const run = Bun.spawn(
    [
      process.execPath,
      'test',
      '--timeout=600000',
      `--preload=${join(ROOT, 'scripts/test/measure.ts')}`,
      ...paths,
    ],
    { env: { ...process.env, TEST_TIMES_FILE: file, TEST_TIMES_WAITS: '1' }, stderr: 'ignore' },
  );
  expect(await run.exited).toBe(0);

  const measures = await readMeasures(file);
  expect(measures.map(({ path }) => path)).toEqual(['test/a.test.ts', 'test/b.test.ts']);
  const [first] = measures;
  expect(first?.processor).toBeGreaterThan(0.1);
  expect(first?.waits.sleep).toBeGreaterThan(0);
  const lines = timesTable(measures.toReversed(), false);
  expect(lines[0]).toStartWith('2 files: ');
  expect(lines[2]).toContain('test/a.test.ts');
  expect(lines).toHaveLength(4);
});
