import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type EventTime,
  eventTimes,
  parseMicroseconds,
} from '../../../src/modules/events/time-rules.ts';
import { isIsoDateTime } from '../../../src/shared/schema.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/shared/time.ts';
import { RECEIVED_AT } from '../../support/events.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const at = (ms: number, flag: EventTime['timeFlag'] = null): EventTime => ({
  occurredAtUs: ms * 1_000,
  timeFlag: flag,
});

describe('a time as sent', () => {
  const cases: [string, number][] = [
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T00:00Z', 0],
    ['1970-01-01T00:00:00.5Z', 500_000],
    ['1970-01-01T00:00:00.123456Z', 123_456],
    ['1970-01-01T00:00:00.123456789Z', 123_456],
    ['1970-01-01T01:00:00.000001+01:00', 1],
    ['1970-01-01T01:00:00+0100', 0],
    ['1969-12-31T23:59:59.999999Z', -1],
  ];
  for (const [text, micros] of cases) {
    test(`${text} is ${micros} µs`, () => {
      expect(isIsoDateTime(text)).toBe(true);
      expect(parseMicroseconds(text)).toBe(micros);
    });
  }

  test('is never out of reach once the wire has let it pass', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        fc.integer({ min: -14, max: 14 }),
        (date, hours) => {
          const offset = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
          const text = date.toISOString().replace('Z', offset);
          expect(isIsoDateTime(text)).toBe(true);
          expect(parseMicroseconds(text)).toBe((date.getTime() - hours * 3_600_000) * 1_000);
        },
      ),
    );
  });
});

describe('when events occurred', () => {
  test('is the time as sent while the clock can be right', () => {
    const early = RECEIVED_AT - 3 * DAY_MS;
    const ahead = RECEIVED_AT + 10 * MINUTE_MS;
    expect(eventTimes([iso(early), iso(ahead)], RECEIVED_AT)).toEqual([at(early), at(ahead)]);
  });

  test('is the receipt for an event without a time', () => {
    expect(eventTimes([undefined], RECEIVED_AT)).toEqual([at(RECEIVED_AT, 'no_ts')]);
  });

  test('is the receipt for an event older than 400 days', () => {
    const oldest = RECEIVED_AT - 400 * DAY_MS;
    expect(eventTimes([iso(oldest), iso(oldest - 1)], RECEIVED_AT)).toEqual([
      at(oldest),
      at(RECEIVED_AT, 'too_old'),
    ]);
  });

  test('is shifted for the whole batch when its newest time is too far ahead', () => {
    const ahead = RECEIVED_AT + 10 * MINUTE_MS + 1;
    expect(eventTimes([iso(ahead - 5_000), undefined, iso(ahead)], RECEIVED_AT)).toEqual([
      at(RECEIVED_AT - 5_000, 'shifted'),
      at(RECEIVED_AT, 'no_ts'),
      at(RECEIVED_AT, 'shifted'),
    ]);
  });

  test('never lies in the future, and order and gaps survive', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -300 * DAY_MS, max: 300 * DAY_MS }), {
          minLength: 2,
          maxLength: 20,
        }),
        (offsets) => {
          const sent = offsets.map((offset) => RECEIVED_AT + offset);
          const times = eventTimes(sent.map(iso), RECEIVED_AT);
          for (const { occurredAtUs } of times) {
            expect(occurredAtUs).toBeLessThanOrEqual((RECEIVED_AT + 10 * MINUTE_MS) * 1_000);
          }
          const kept = times.map((time, i) => ({ ...time, sent: sent[i] ?? 0 }));
          const comparable = kept.filter((time) => time.timeFlag !== 'too_old');
          const shifts = new Set(comparable.map((time) => time.sent * 1_000 - time.occurredAtUs));
          expect(shifts.size).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
