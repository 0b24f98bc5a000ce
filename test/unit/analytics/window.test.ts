import { describe, expect, test } from 'bun:test';
import { resolveWindow } from '../../../src/modules/sales/analytics/window.ts';
import { AppError } from '../../../src/shared/errors.ts';

const YESTERDAY = '2026-03-09';
const resolve = (query: Parameters<typeof resolveWindow>[0]) => resolveWindow(query, YESTERDAY);

describe('the window of a query', () => {
  test('is the last thirty days that can be there', () => {
    expect(resolve({})).toEqual({
      from: '2026-02-08',
      to: '2026-03-09',
      days: 30,
      previousFrom: '2026-01-09',
      previousTo: '2026-02-07',
    });
  });

  test.each([
    [{ days: 1 }, '2026-03-09', '2026-03-09', '2026-03-08'],
    [{ days: 400 }, '2025-02-03', '2026-03-09', '2023-12-31'],
    [{ from: '2026-03-01' }, '2026-03-01', '2026-03-09', '2026-02-20'],
    [{ to: '2026-01-31' }, '2026-01-02', '2026-01-31', '2025-12-03'],
    [{ from: '2026-01-01', to: '2026-01-01' }, '2026-01-01', '2026-01-01', '2025-12-31'],
    [{ from: '2026-03-08', to: '2026-04-08' }, '2026-03-08', '2026-04-08', '2026-02-04'],
  ])('%o', (query, from, to, previousFrom) => {
    const window = resolve(query);
    expect(window).toMatchObject({ from, to, previousFrom });
    expect(window.previousTo < window.from).toBe(true);
  });

  test.each([
    [{ days: 7, from: '2026-03-01' }, 'days'],
    [{ days: 7, to: '2026-03-01' }, 'days'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'from'],
    [{ from: '2026-03-10' }, 'from'],
    [{ from: '2025-02-02', to: '2026-03-09' }, '400'],
  ])('%o is refused', (query, hint) => {
    try {
      resolve(query);
      throw new Error('accepted');
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      expect(thrown.code).toBe('invalid_input');
      expect(thrown.hint).toContain(hint);
    }
  });
});
