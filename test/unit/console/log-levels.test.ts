import { expect, test } from 'bun:test';
import { histogramOf } from '../../../src/console/pages/logs/levels.ts';

const at = (second: number, level: string) => ({
  timestamp: new Date(second * 1_000).toISOString(),
  level,
});

test('entries are counted by time and by how loud they are', () => {
  const entries = [at(0, 'info'), at(1, 'debug'), at(9, 'fatal'), at(10, 'warn'), at(11, 'error')];
  expect(histogramOf(entries, { fromMs: 0, toMs: 10_000 }, 2)).toEqual([
    [2, 0, 0],
    [0, 1, 2],
  ]);
});
