import { describe, expect, test } from 'bun:test';
import type { MarksQuery } from '../../../src/modules/marks/model.ts';
import { toLocalDay, marksWindow } from '../../../src/modules/marks/window.ts';

const NOW = Date.parse('2026-11-21T02:00:00Z');
const window = (query: MarksQuery, timezone = 'UTC') => {
  const { from, to, fromMs, toMs } = marksWindow(query, timezone, NOW);
  return [from, to, new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
};

describe('the window of marks', () => {
  test('is the twenty-eight days that end with today in the zone', () => {
    expect(window({})).toEqual([
      '2026-10-25',
      '2026-11-21',
      '2026-10-25T00:00:00.000Z',
      '2026-11-22T00:00:00.000Z',
    ]);
    expect(window({ days: 1 }, 'America/New_York')).toEqual([
      '2026-11-20',
      '2026-11-20',
      '2026-11-20T05:00:00.000Z',
      '2026-11-21T05:00:00.000Z',
    ]);
    expect(toLocalDay(NOW, 'America/New_York')).toBe('2026-11-20');
  });

  test('of dates holds both, also where the clocks change', () => {
    expect(window({ from: '2026-11-01', to: '2026-11-01' }, 'America/New_York').slice(2)).toEqual([
      '2026-11-01T04:00:00.000Z',
      '2026-11-02T05:00:00.000Z',
    ]);
    const longest = { from: '2025-01-01', to: '2026-02-04' };
    expect(window(longest).slice(0, 2)).toEqual([longest.from, longest.to]);
  });

  test.each([
    [{ days: 3, from: '2026-01-01', to: '2026-01-02' }, 'days'],
    [{ days: 3, from: '2026-01-01' }, 'days'],
    [{ from: '2026-01-01' }, 'to'],
    [{ to: '2026-01-01' }, 'from'],
    [{ from: '2026-01-02', to: '2026-01-01' }, 'to'],
    [{ from: '2025-01-01', to: '2026-02-05' }, 'from'],
  ])('is refused for %o, naming %s', (query, field) => {
    let hint: unknown;
    try {
      window(query);
    } catch (thrown) {
      hint = thrown instanceof Error && 'hint' in thrown ? thrown.hint : thrown;
    }
    expect(hint).toStartWith(`${field}: `);
  });
});
