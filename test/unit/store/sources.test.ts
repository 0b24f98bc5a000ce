import { expect, test } from 'bun:test';
import { mergeStates, type SalesSource } from '../../../src/modules/sales/analytics/sources.ts';
import type { DayState } from '../../../src/modules/sales/days/day-state.ts';

const source = (...days: [string, DayState][]) =>
  ({ states: new Map(days), isEnded: false }) as unknown as SalesSource;

test('a day that one of two stores has not told about is not known, whichever it is', () => {
  const told = source(['2026-03-09', 'reported']);
  const untold = source();
  expect(mergeStates([untold, told]).get('2026-03-09')).toBe('pending');
  expect(mergeStates([told, untold]).get('2026-03-09')).toBe('pending');
});

test('days before the first of a store wait for nothing of it', () => {
  const long = source(['2026-03-08', 'reported'], ['2026-03-09', 'reported']);
  const short = source(['2026-03-09', 'reported']);
  expect(mergeStates([long, short]).get('2026-03-08')).toBe('reported');
});

test('a store that is disconnected is waited for no more', () => {
  const long = source(['2026-03-08', 'reported'], ['2026-03-10', 'reported']);
  const ended = { ...source(['2026-03-08', 'reported']), isEnded: true };
  expect(mergeStates([long, ended]).get('2026-03-10')).toBe('reported');
});
