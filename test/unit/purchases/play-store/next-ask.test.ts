import { expect, test } from 'bun:test';
import {
  backoffMs,
  nextAskOf,
  nextAskOfProduct,
} from '../../../../src/modules/purchases/play-store/next-ask.ts';
import type { PlaySubscription } from '../../../../src/providers/play-store/port.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/shared/time.ts';

const NOW = new Date('2026-11-28T00:00:00.000Z');

const subscription = (state: string, ...ends: (number | null)[]) =>
  ({
    state,
    lines: ends.map((afterMs) => ({
      expiresAt: afterMs === null ? null : NOW.getTime() + afterMs,
    })),
  }) as PlaySubscription;

const waitMs = (state: string, ...ends: (number | null)[]) => {
  const next = nextAskOf(subscription(state, ...ends), NOW);
  return next && next.getTime() - NOW.getTime();
};

test('a subscription is looked at again after its next end', () => {
  expect(waitMs('active', 30 * DAY_MS)).toBe(30 * DAY_MS + 5 * MINUTE_MS);
  expect(waitMs('canceled', 30 * DAY_MS, 7 * DAY_MS)).toBe(7 * DAY_MS + 5 * MINUTE_MS);
  expect(waitMs('grace', HOUR_MS)).toBe(HOUR_MS + 5 * MINUTE_MS);
  expect(waitMs('grace', 7 * DAY_MS)).toBe(DAY_MS);
  // Deferred: the line to come has no end yet.
  expect(waitMs('active', null, DAY_MS)).toBe(DAY_MS + 5 * MINUTE_MS);
});

test('past its end, and without one, every hour', () => {
  expect(waitMs('active', -DAY_MS)).toBe(HOUR_MS);
  expect(waitMs('active', null)).toBe(HOUR_MS);
  expect(waitMs('unlisted:NEW', -DAY_MS)).toBe(HOUR_MS);
});

test('what waits for money or its person is looked at now and then, what is over never', () => {
  expect(waitMs('hold', -DAY_MS)).toBe(DAY_MS);
  expect(waitMs('paused', -DAY_MS)).toBe(DAY_MS);
  expect(waitMs('pending', null)).toBe(6 * HOUR_MS);
  expect(waitMs('expired', -DAY_MS)).toBeNull();
  expect(waitMs('pending_canceled', null)).toBeNull();
});

test('a one-time purchase only until it is paid', () => {
  const waits = (state: 'pending' | 'purchased' | 'canceled') =>
    nextAskOfProduct({ state } as Parameters<typeof nextAskOfProduct>[0], NOW);
  expect(waits('pending')).toEqual(new Date(NOW.getTime() + 6 * HOUR_MS));
  expect([waits('purchased'), waits('canceled')]).toEqual([null, null]);
});

test('pauses after faults grow to an hour', () => {
  expect([0, 1, 2, 5, 6, 100].map(backoffMs)).toEqual(
    [1, 2, 4, 32, 60, 60].map((minutes) => minutes * MINUTE_MS),
  );
});
