import { expect, test } from 'bun:test';
import { isDead } from '../../../src/console/pages/flags/dead.ts';

const NOW = Date.parse('2026-11-24T12:00:00.000Z');
const LONG_AGO = '2026-10-25T11:59:59.999Z';
const LATELY = '2026-10-25T12:00:00.000Z';
const asked = (lastAt: string | null, inBulkAt: string | null = null) => ({
  ...{ lastAt, inBulkAt, lastKeyId: null, times: 0 },
});

test.each([
  ['made lately, never asked for', LATELY, asked(null), false],
  ['made long ago, never asked for', LONG_AGO, asked(null), true],
  ['asked for lately by its key', LONG_AGO, asked(LATELY), false],
  ['asked for long ago by its key', LONG_AGO, asked(LONG_AGO), true],
  ['asked for lately with all others', LONG_AGO, asked(LONG_AGO, LATELY), false],
  ['asked for long ago both ways', LONG_AGO, asked(LONG_AGO, LONG_AGO), true],
])('a flag %s', (_, createdAt, asks, wanted) => {
  expect(isDead({ createdAt, asks }, NOW)).toBe(wanted);
});
