import { describe, expect, test } from 'bun:test';
import { knownSince, MINUTES, minutesOf } from '../../../src/console/pages/live/minutes.ts';

const NOW = Date.parse('2026-11-06T10:30:20Z');
const event = (receivedAt: string) => ({
  ...{ name: 'opened', occurredAt: receivedAt, receivedAt, sessionId: null, ts: null },
  ...{ timeFlag: null, personId: 'p', anonymousId: 'device-1', userId: null, platform: null },
  ...{ appVersion: null, osVersion: null, locale: null, country: null, props: null, id: null },
});

describe('the minutes of the stream', () => {
  test('are thirty, each with what was received in it, the one that runs last', () => {
    const minutes = minutesOf(
      [
        '2026-11-06T10:30:05Z',
        '2026-11-06T10:31:00Z',
        '2026-11-06T10:02:00Z',
        '2026-11-06T09:00:00Z',
      ],
      NOW,
    );
    expect(minutes).toHaveLength(MINUTES);
    expect(minutes.at(-1)).toEqual({ at: '2026-11-06T10:30:00.000Z', count: 2 });
    expect(minutes[1]).toEqual({ at: '2026-11-06T10:02:00.000Z', count: 1 });
    expect(minutes.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  });

  test('are known from the oldest event on, where a full list does not reach back', () => {
    const events = [event('2026-11-06T10:30:00Z'), event('2026-11-06T10:20:00Z')];
    expect(knownSince(events, 2, NOW)).toBe('2026-11-06T10:20:00Z');
    expect(knownSince(events, 3, NOW)).toBeNull();
    expect(knownSince([event('2026-11-06T09:00:00Z')], 1, NOW)).toBeNull();
  });
});
