import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type EventTime,
  eventTimes,
  isEventTime,
  parseMicroseconds,
} from '../../../src/event-store/event/time-rules.ts';
import { isIsoDateTime } from '../../../src/shared/schema.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/shared/time.ts';
import { RECEIVED_AT } from '../../support/events.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const at = (ms: number, flag: EventTime['timeFlag'] = null): EventTime => ({
  occurredAtUs: ms * 1_000,
  timeFlag: flag,
});

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)$/;

/** Slow, by a round trip through `Date`. */
function isInCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  const start = new Date(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day);
  return DATE_TIME.test(text) && isDay && !Number.isNaN(Date.parse(text));
}

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
    ['1970-01-01t00:00:01z', 1_000_000],
    ['1970-01-01T00:00:60Z', 60_000_000],
    ['1970-01-01t00:59:60.25+01:00', 250_000],
  ];
  for (const [text, micros] of cases) {
    test(`${text} is ${micros} µs`, () => {
      expect(isEventTime(text)).toBe(true);
      expect(parseMicroseconds(text)).toBe(micros);
    });
  }

  test.each([
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:61Z',
    '2026-02-30t00:00:00z',
    '2026-01-01T24:60:60Z',
    '2026-01-01 00:00:00Z',
  ])('%s is none', (text) => {
    expect(isEventTime(text)).toBe(false);
  });

  test('is on the wire as a reader of calendars has it', () => {
    const field = (max: number) =>
      fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
    const times = fc.record({
      ...{ year: fc.integer({ min: 0, max: 9999 }), month: field(14), day: field(33) },
      ...{ hour: field(25), minute: field(61), second: field(61) },
      rest: fc.constantFrom('', '.5', '.123', '.1234567891'),
      zone: fc.constantFrom('Z', '+01:00', '-0930', ''),
    });
    fc.assert(
      fc.property(times, ({ year, month, day, hour, minute, second, rest, zone }) => {
        const text = `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}${rest}${zone}`;
        expect(isIsoDateTime(text)).toBe(isInCalendar(text));
      }),
      { numRuns: 5_000 },
    );
  });

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

  test('is shifted where it is too far ahead, with order and gaps', () => {
    const ahead = RECEIVED_AT + 3 * 3_600_000;
    expect(eventTimes([iso(ahead - 5_000), undefined, iso(ahead)], RECEIVED_AT)).toEqual([
      at(RECEIVED_AT - 5_000, 'shifted'),
      at(RECEIVED_AT, 'no_ts'),
      at(RECEIVED_AT, 'shifted'),
    ]);
  });

  test('stays as it is beside a time that is impossible', () => {
    const good = RECEIVED_AT - 3 * DAY_MS;
    const bad = Date.parse('2099-01-01T00:00:00Z');
    expect(eventTimes([iso(good), iso(bad)], RECEIVED_AT)).toEqual([
      at(good),
      at(RECEIVED_AT, 'shifted'),
    ]);
  });

  test('of a fast clock keeps its gaps beside a time that is impossible', () => {
    const ahead = RECEIVED_AT + 3_600_000;
    const bad = Date.parse('2099-01-01T00:00:00Z');
    expect(eventTimes([iso(bad), iso(ahead), iso(ahead - 60_000)], RECEIVED_AT)).toEqual([
      at(RECEIVED_AT, 'shifted'),
      at(RECEIVED_AT, 'shifted'),
      at(RECEIVED_AT - 60_000, 'shifted'),
    ]);
  });

  test('is never shifted before a time that stays', () => {
    const early = RECEIVED_AT - 60_000;
    const ahead = RECEIVED_AT + 2 * 3_600_000;
    expect(eventTimes([iso(ahead - 3_600_000), iso(early), iso(ahead)], RECEIVED_AT)).toEqual([
      at(early, 'shifted'),
      at(early),
      at(RECEIVED_AT, 'shifted'),
    ]);
  });

  test('has no flag unless it was moved', () => {
    const edge = RECEIVED_AT + 10 * MINUTE_MS;
    const times = eventTimes([iso(edge), iso(edge + 1), iso(RECEIVED_AT)], RECEIVED_AT);
    expect(times.map((time) => time.timeFlag)).toEqual([null, 'shifted', null]);
  });

  describe('whatever is in a batch', () => {
    const ahead = 10 * MINUTE_MS;
    const offset = fc.oneof(
      fc.integer({ min: -390 * DAY_MS, max: ahead }),
      fc.integer({ min: -2 * ahead, max: 2 * ahead }),
      fc.integer({ min: ahead + 1, max: 300 * DAY_MS }),
      fc.integer({ min: 300 * DAY_MS, max: 80 * 365 * DAY_MS }),
    );
    const batches = fc.array(offset, { minLength: 1, maxLength: 20 });
    const timesOf = (offsets: number[]) =>
      eventTimes(
        offsets.map((one) => iso(RECEIVED_AT + one)),
        RECEIVED_AT,
      ).map((time, i) => ({
        sent: offsets[i]!,
        occurred: time.occurredAtUs / 1_000 - RECEIVED_AT,
        flag: time.timeFlag,
      }));

    test('a time that is not ahead stays, and only such a time has no flag', () => {
      fc.assert(
        fc.property(batches, (offsets) => {
          for (const { sent, occurred, flag } of timesOf(offsets)) {
            expect(flag).toBe(sent > ahead ? 'shifted' : null);
            if (sent <= ahead) expect(occurred).toBe(sent);
          }
        }),
      );
    });

    test('no time lies ahead that did not stay, or more than 400 days back', () => {
      fc.assert(
        fc.property(batches, (offsets) => {
          const newest = Math.max(0, ...offsets.filter((one) => one <= ahead));
          for (const { occurred } of timesOf(offsets)) {
            expect(occurred).toBeLessThanOrEqual(newest);
            expect(occurred).toBeGreaterThanOrEqual(-400 * DAY_MS);
          }
        }),
      );
    });

    test('what was sent as later is not earlier', () => {
      fc.assert(
        fc.property(batches, (offsets) => {
          const inOrder = timesOf(offsets).toSorted((a, b) => a.sent - b.sent);
          for (const [i, { occurred }] of inOrder.entries()) {
            if (i > 0) expect(occurred).toBeGreaterThanOrEqual(inOrder[i - 1]!.occurred);
          }
        }),
      );
    });

    test('shifted times keep their gaps, but for those held back or beyond 400 days', () => {
      fc.assert(
        fc.property(batches, (offsets) => {
          const times = timesOf(offsets);
          const first = Math.min(...offsets.filter((one) => one > ahead));
          const newestKept = Math.max(-Infinity, ...offsets.filter((one) => one <= ahead));
          const queue = times.filter(
            ({ sent, occurred }) =>
              sent > ahead && sent <= first + 400 * DAY_MS && occurred > newestKept,
          );
          const shifts = new Set(queue.map(({ sent, occurred }) => sent - occurred));
          expect(shifts.size).toBeLessThanOrEqual(1);
        }),
      );
    });
  });
});
