import { describe, expect, test } from 'bun:test';
import {
  boundaryIso,
  toBuckets,
  resolveWindow,
} from '../../../src/modules/questions/resolve/window.ts';

const NOW = new Date('2026-03-31T10:00:00Z');
const nowMs = NOW.getTime();
const iso = (ms: number) => new Date(ms).toISOString();
const of = (asked: Parameters<typeof resolveWindow>[0], zone = 'Europe/Berlin', now = NOW) => {
  const { fromMs, toMs, ...rest } = resolveWindow(asked, 28, zone, now);
  expect(rest).toEqual({ nowMs: now.getTime(), timezone: zone });
  return [iso(fromMs), iso(toMs)];
};
const SO_FAR = '2026-03-31T10:00:00.001Z';

describe('a window', () => {
  test('is whole local days before today, and today so far', () => {
    expect(of({})).toEqual(['2026-03-02T23:00:00.000Z', SO_FAR]);
    // The clocks went forward on the 29th.
    expect(of({ days: 2 })).toEqual(['2026-03-28T23:00:00.000Z', SO_FAR]);
    expect(of({ days: 1 })).toEqual(['2026-03-29T22:00:00.000Z', SO_FAR]);
    expect(of({ days: 1 }, 'Pacific/Auckland')).toEqual(['2026-03-29T11:00:00.000Z', SO_FAR]);
  });

  test('is from a date to the end of another, and never in the future', () => {
    expect(of({ from: '2026-03-28', to: '2026-03-29' })).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(of({ from: '2026-03-31', to: '2026-04-30' })).toEqual([
      '2026-03-30T22:00:00.000Z',
      SO_FAR,
    ]);
    expect(of({ from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' })).toEqual([
      '2026-03-01T00:00:00.000Z',
      '2026-03-02T00:00:00.000Z',
    ]);
    expect(of({ from: NOW.toISOString(), to: '2026-04-30' })[0]).toBe(NOW.toISOString());
  });

  test.each([
    [{ days: 3, from: '2026-03-01', to: '2026-03-02' }, 'days'],
    [{ days: 3, to: '2026-03-02' }, 'days'],
    [{ to: '2026-03-02' }, 'from'],
    [{ from: '2026-03-02' }, 'to'],
    [{ from: '2026-03-03', to: '2026-03-02' }, 'to'],
    [{ from: '2026-03-02T01:00:00Z', to: '2026-03-02T01:00:00Z' }, 'to'],
    [{ from: '2026-04-01', to: '2026-04-02' }, 'from'],
    [{ from: '2026-03-31T10:00:00.001Z', to: '2026-04-02' }, 'from'],
    [{ from: '2025-02-22', to: '2026-03-30' }, 'from'],
  ])('%o is refused, naming %s', (asked, field) => {
    try {
      of(asked, 'UTC');
      throw new Error('not refused');
    } catch (thrown) {
      expect((thrown as { hint?: string }).hint).toStartWith(`${field}: `);
    }
  });

  test('has 401 days at most', () => {
    expect(of({ from: '2025-02-23', to: '2026-03-30' }, 'UTC')).toHaveLength(2);
  });
});

describe('its intervals', () => {
  const window = resolveWindow({ days: 2 }, 28, 'UTC', NOW);

  test('are those that are over and the present one, with as many before as are over', () => {
    const plain = toBuckets(window, 'day');
    expect({ ...plain, boundariesMs: plain.boundariesMs.map(iso) }).toEqual({
      boundariesMs: ['2026-03-29', '2026-03-30', '2026-03-31', '2026-04-01'].map(
        (day) => `${day}T00:00:00.000Z`,
      ),
      ...{ first: 0, finished: 2, count: 3 },
    });
    const compared = toBuckets(window, 'day', { compare: true });
    expect(compared).toMatchObject({ first: 2, finished: 2, count: 3 });
    expect(boundaryIso(compared, 0)).toBe('2026-03-27T00:00:00.000Z');
    const both = toBuckets(window, 'day', { compare: true, lookback: 27 });
    expect(both).toMatchObject({ first: 29, finished: 2, count: 3 });
    expect(both.boundariesMs).toHaveLength(33);
    expect(toBuckets(window, 'day', { lookback: 27 }).first).toBe(27);
  });

  test('are over at their very end', () => {
    const dates = { from: '2026-03-29', to: '2026-03-30' };
    const at = (now: string) =>
      toBuckets(resolveWindow(dates, 28, 'UTC', new Date(now)), 'day').finished;
    expect(at('2026-03-30T23:59:59.999Z')).toBe(1);
    expect(at('2026-03-31T00:00:00.000Z')).toBe(2);
    expect(nowMs).toBe(window.nowMs);
  });
});
