import { expect, test } from 'bun:test';
import type { Chapter } from '../../../src/chapter.ts';
import * as identity from '../../../src/modules/identity/index.ts';

const isChapter = (value: unknown): value is Chapter =>
  typeof value === 'object' && value !== null && 'tables' in value;

test('the documentation lists each background job of identity with what it may change', async () => {
  const jobs = Object.values<unknown>(identity)
    .filter(isChapter)
    .filter(({ reconcile, ensureMissingRuns }) => reconcile || ensureMissingRuns)
    .map(({ name }) => name);
  const page = await Bun.file('docs/identity.md').text();
  const [, section = ''] = page.split('## What changes without anybody asking');
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  const listed = cells.slice(2).map(([, name = '']) => name);
  expect(listed.toSorted()).toEqual(jobs.toSorted());
  for (const [, , does = '', changes = ''] of cells.slice(2)) {
    expect(does.length * changes.length).toBeGreaterThan(0);
  }
});
