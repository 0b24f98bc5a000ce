import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AWAY, CELLS, ROWS } from '../../support/outage-cells.ts';
import { ROOT } from '../../support/sources.ts';

const page = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
const lines = (page.split('\n### By caller\n')[1]?.split('\n### ')[0] ?? '').split('\n');
const table = lines
  .filter((line) => line.startsWith('|') && !line.startsWith('| --'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map((cells) => cells.slice(1, -1));

test('every cell of the table of outages says what its test holds the service to', () => {
  const [head, ...rows] = table;
  expect(head?.slice(1)).toEqual([...AWAY]);
  expect(rows.map(([row]) => row)).toEqual([...ROWS]);
  for (const row of ROWS) {
    const cells = rows.find(([name]) => name === row)?.slice(1) ?? [];
    const outcomes = cells.map((cell) => /^(503|goes on|waits)\b/.exec(cell)?.[1]);
    expect({ row, outcomes }).toEqual({ row, outcomes: AWAY.map((away) => CELLS[away][row]) });
  }
});
