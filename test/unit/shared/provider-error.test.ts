import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  failureOfStatus,
  LONGEST_WAIT_SECONDS,
  waitSeconds,
} from '../../../src/shared/provider-error.ts';

const NOW = new Date('2026-11-21T08:00:00Z');
const answer = (headers: Record<string, string>) => ({
  status: 429,
  headers: new Headers(headers),
  bytes: new Uint8Array(),
});

describe('failureOfStatus', () => {
  test.each([
    [200, null],
    [204, null],
    [400, 'invalid'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'conflict'],
    [408, 'unavailable'],
    [422, 'invalid'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ] as const)('%d is %p', (status, failure) => {
    expect(failureOfStatus(status)).toBe(failure);
  });
});

describe('waitSeconds', () => {
  test('Retry-After comes first, in seconds or as a date', () => {
    expect(waitSeconds(answer({ 'retry-after': '7' }), NOW, 30)).toBe(7);
    expect(waitSeconds(answer({ 'retry-after': 'Sat, 21 Nov 2026 08:00:20 GMT' }), NOW, 30)).toBe(
      20,
    );
  });

  test('without it the reset counts, and without either a minute', () => {
    expect(waitSeconds(answer({}), NOW, 12.2)).toBe(13);
    expect(waitSeconds(answer({ 'retry-after': 'soon' }), NOW, 12)).toBe(12);
    expect(waitSeconds(answer({}), NOW, null)).toBe(60);
  });

  test('stays within bounds whatever the headers say', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.integer(), (reset, header) => {
        const wait = waitSeconds(answer({ 'retry-after': String(header) }), NOW, reset);
        return Number.isInteger(wait) && wait >= 1 && wait <= LONGEST_WAIT_SECONDS;
      }),
    );
  });
});
