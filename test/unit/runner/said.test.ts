import { expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastSaid } from '../../../scripts/test/said.ts';

test('of a failed job the last that each service said is shown', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'said-'));
  await Bun.write(join(dir, 'start 2'), 'one line\n');
  await Bun.write(
    join(dir, 'start 1'),
    Array.from({ length: 1_000 }, (_, line) => `line ${line}\n`).join(''),
  );
  const shown = await lastSaid(dir);
  expect(shown[0]).toBe('--- start 1');
  expect(shown).toContain('line 999');
  expect(shown).not.toContain('line 0');
  expect(shown.slice(-2)).toEqual(['--- start 2', 'one line']);
  expect(await lastSaid(join(dir, 'none'))).toEqual([]);
});
