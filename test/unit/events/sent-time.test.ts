import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isEventTime } from '../../../src/event-store/append.ts';
import { amplitudeReader } from '../../../src/modules/events/intake/amplitude.ts';
import { posthogReader } from '../../../src/modules/events/intake/posthog.ts';
import { segmentReader } from '../../../src/modules/events/intake/segment.ts';
import { amplitude } from '../../../src/modules/events/imports/amplitude.ts';
import { mixpanel } from '../../../src/modules/events/imports/mixpanel.ts';
import { segment, segmentLine } from '../../../src/modules/events/imports/segment.ts';
import { sentTime } from '../../../src/modules/events/imports/times.ts';
import { RECEIVED_AT } from '../../support/events.ts';

const AT = Date.UTC(2026, 10, 28, 10, 0, 0);
const msOf = (sent: unknown): number => Date.parse(sentTime(sent) ?? '');

describe('a time as clients send it', () => {
  test.each<[unknown, number]>([
    ['2026-11-28T10:00:00Z', AT],
    ['2026-11-28T10:00:00.250Z', AT + 250],
    ['2026-11-28T10:00:00', AT],
    ['2026-11-28T10:00', AT],
    ['2026-11-28 10:00:00', AT],
    ['2026-11-28 10:00:00.250', AT + 250],
    ['2026-11-28T10:00:00,250', AT + 250],
    ['2026-11-28 10:00:00Z', AT],
    ['2026-11-28t10:00:00z', AT],
    ['2026-11-28 10:00:00 UTC', AT],
    ['2026-11-28 10:00:00 +0000 UTC', AT],
    ['2026-11-28 11:00:00+01:00', AT],
    ['2026-11-28T11:00:00+0100', AT],
    ['2026-11-28T08:00:00-02', AT],
    ['2026-11-28T10:00:00.123456789123Z', AT + 123],
    [' 2026-11-28T10:00:00 ', AT],
    ['2026-11-28', AT - 36_000_000],
    ['2026-11-28T11:00:00+01:00[Europe/Berlin]', AT],
    ['2026-11-28T10:00:00Z[UTC]', AT],
    ['2026/11/28 10:00:00', AT],
    ['20261128', AT - 36_000_000],
    ['20261128T100000Z', AT],
    ['20261128T100000.25', AT + 250],
    ['Sat, 28 Nov 2026 10:00:00 GMT', AT],
    ['Sat, 28 Nov 2026 11:00:00 +0100', AT],
    ['Sat Nov 28 2026 11:00:00 GMT+0100 (Central European Standard Time)', AT],
    [AT, AT],
    [AT / 1_000, AT],
    [AT / 1_000 + 0.25, AT + 250],
    [AT * 1_000, AT],
    [AT * 1_000_000, AT],
    [String(AT), AT],
    [String(AT / 1_000), AT],
    [`${AT / 1_000}.25`, AT + 250],
  ])('%p', (sent, ms) => {
    const found = sentTime(sent) ?? '';
    expect([msOf(sent), isEventTime(found)]).toEqual([ms, true]);
  });

  test.each([
    ...['yesterday', '2026-13-01', '2026-02-30 10:00', '28.11.2026', '1e400', 'NaN', '-'],
    ...['2026-11/28', 'Sat, 28 Nov 2026 10:00:00', 'Event 1 GMT', 'Sat, 31 Nov 2026 10:00:00 GMT'],
  ])('%p is refused, not guessed', (sent) => expect(isEventTime(sentTime(sent) ?? '')).toBe(false));

  test.each(['1980-01-01T00:00:00.000Z', '2026-11-29T00:00:00.000Z', '9999-12-31T23:59:59.000Z'])(
    '%s is read of seconds, milliseconds, microseconds and nanoseconds',
    (time) => {
      const ms = Date.parse(time);
      for (const number of [ms / 1e3, ms, ms * 1e3, ms * 1e6]) {
        expect(Date.parse(sentTime(number) ?? '')).toBe(ms);
      }
    },
  );

  test('an export of Mixpanel has the same units', () => {
    for (const time of [253_402_300_799, 253_402_300_799_000]) {
      const line = { event: 'a', properties: { distinct_id: 'device-0001', time } };
      expect(mixpanel(line)[0]?.event.ts).toBe('9999-12-31T23:59:59.000Z');
    }
  });

  test.each([Number.MAX_VALUE, 1e300])('%p is refused', (sent) =>
    expect(isEventTime(sentTime(sent) ?? '')).toBe(false),
  );

  test.each([undefined, null, '', true, {}])('%p is none', (sent) =>
    expect(sentTime(sent)).toBeUndefined(),
  );

  test('is the instant of a plain reckoning, in each form', () => {
    const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
        fc.constantFrom('T', ' ', 't'),
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        fc.constantFrom('none', 'utc', 'colon', 'plain'),
        (date, separator, minutes, kind) => {
          const ms = date.getTime();
          const shift = kind === 'colon' || kind === 'plain' ? minutes : 0;
          const local = new Date(ms + shift * 60_000);
          const day = `${local.getUTCFullYear()}-${pad(local.getUTCMonth() + 1)}-${pad(local.getUTCDate())}`;
          const clock = `${pad(local.getUTCHours())}:${pad(local.getUTCMinutes())}:${pad(local.getUTCSeconds())}`;
          const [hours, rest] = [Math.floor(Math.abs(shift) / 60), Math.abs(shift) % 60];
          const sign = shift < 0 ? '-' : '+';
          const zone = {
            none: '',
            utc: ' UTC',
            colon: `${sign}${pad(hours)}:${pad(rest)}`,
            plain: `${sign}${pad(hours)}${pad(rest)}`,
          }[kind];
          const sent = `${day}${separator}${clock}.${pad(local.getUTCMilliseconds(), 3)}${zone}`;
          expect({ sent, ms: msOf(sent) }).toEqual({ sent, ms });
        },
      ),
    );
  });
});

test.each<[string, unknown]>([
  ['PostHog', '2026-11-28 10:00:00'],
  ['PostHog', AT],
  ['Segment', '2026-11-28 10:00:00'],
  ['Segment', AT / 1_000],
  ['Segment by originalTimestamp', '2026-11-28T10:00:00'],
  ['Amplitude', AT],
  ['Amplitude', String(AT)],
  ['Amplitude', '2026-11-28T10:00:00'],
])('%s takes %p', (format, at) => {
  const readers: Record<string, () => any> = {
    PostHog: () =>
      posthogReader(RECEIVED_AT)({ event: 'a', distinct_id: 'device-0001', timestamp: at }),
    Segment: () =>
      segment({ type: 'track', event: 'a', anonymousId: 'device-0001', timestamp: at }),
    'Segment by originalTimestamp': () =>
      segment({ type: 'track', event: 'a', anonymousId: 'device-0001', originalTimestamp: at }),
    Amplitude: () => amplitudeReader()({ event_type: 'a', device_id: 'device-0001', time: at }),
  };
  expect(Date.parse(readers[format]?.().event.ts)).toBe(AT);
});

test.each([
  { $distinct_id: 'device-0001' },
  { properties: { $distinct_id: 'device-0001' } },
  { properties: { distinct_id: 'device-0001' } },
])('the person of a PostHog event is %j', (who) => {
  const found: any = posthogReader(RECEIVED_AT)({ event: 'a', ...who });
  expect(found.event.anonymousId).toBe('device-0001');
});

describe('an event that the client sent here and that another product corrected', () => {
  const anonymousId = 'device-0001';
  const found = (read: unknown) => Date.parse((read as any).event.ts);

  test.each([0, 900, 59 * 60_000])('has one time, with a clock wrong by %p ms', (wrongMs) => {
    const sent = { event_type: 'a', device_id: anonymousId, insert_id: 'one', time: AT + wrongMs };
    const text = (ms: number) => new Date(ms).toISOString().replace('T', ' ').replace('Z', '000');
    const line = { ...sent, event_time: text(AT), client_event_time: text(AT + wrongMs) };
    expect(found(amplitude(line)[0])).toBe(found(amplitudeReader()(sent)));
    const timestamp = new Date(AT + wrongMs).toISOString();
    const message = { type: 'track', event: 'a', messageId: 'one', anonymousId, timestamp };
    const at = new Date(AT).toISOString();
    const archived = { ...message, timestamp: at, originalTimestamp: timestamp };
    expect(found(segmentLine(archived)[0])).toBe(found(segmentReader()(message)));
  });

  test('keeps the correction of a clock that is wrong by more than an hour', () => {
    const times = { event_time: '2026-11-28 10:00:00', client_event_time: '2026-11-28 12:00:00' };
    expect(found(amplitude({ event_type: 'a', device_id: anonymousId, ...times })[0])).toBe(AT);
  });
});
