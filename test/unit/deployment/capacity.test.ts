import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capacityOf } from '../../../bench/capacity/arithmetic.ts';
import { ROOT } from '../../support/sources.ts';

/** As measured, rounded as docs/capacity.md has them. */
const PARTS = {
  apiUs: 6.7,
  compactorUs: 13.8,
  mergesUs: 4.9,
  idleMs: 75,
  questionSeconds: 0.21,
};

const page = readFileSync(join(ROOT, 'docs/capacity.md'), 'utf8');
const cellsOf = (first: string) =>
  page
    .split('\n')
    .filter((line) => line.startsWith(`| ${first}`))
    .map((line) => line.split('|').map((cell) => cell.replaceAll(/[*, ]/g, '')));

describe('the capacity of a host', () => {
  test('is bound by its cores while it has few', () => {
    const { eventsPerSecond, fullOf } = capacityOf(1, PARTS);
    expect(fullOf).toBe('cores');
    expect(eventsPerSecond).toBeCloseTo((0.7 * 925_000) / 25.4, 6);
  });

  test('is bound by the busiest single process once it has many', () => {
    for (const cores of [4, 16]) {
      expect(capacityOf(cores, PARTS)).toMatchObject({ fullOf: 'the compactor process' });
    }
    const slowApi = { ...PARTS, apiUs: 20 };
    expect(capacityOf(16, slowApi)).toMatchObject({
      fullOf: 'the API process',
      eventsPerSecond: 35_000,
    });
  });

  test('is the one that its page says', () => {
    const computed = [2, 4, 16].map((cores) => capacityOf(cores, PARTS));
    const [events] = cellsOf('**events a second**');
    const [funnels] = cellsOf('**or funnels a second**');
    computed.forEach(({ eventsPerSecond, questionsPerSecond }, column) => {
      expect(Number(events?.[column + 3])).toBe(Math.round(eventsPerSecond / 100) * 100);
      expect(Number(funnels?.[column + 3])).toBeCloseTo(questionsPerSecond, 1);
    });
  });
});
