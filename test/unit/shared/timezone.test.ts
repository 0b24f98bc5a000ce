import { describe, expect, test } from 'bun:test';
import { toDailyTime } from '../../../src/modules/messages/reconcile.ts';
import { canonicalZone, parseTimezone } from '../../../src/shared/timezone.ts';

describe('a zone', () => {
  test.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['utc', 'UTC'],
    ['us/pacific', 'US/Pacific'],
    ['ASIA/CALCUTTA', 'Asia/Calcutta'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['GMT+0', 'GMT+0'],
    // Schedules know it no more.
    ['us/pacific-new', 'America/Los_Angeles'],
    ['Canada/East-Saskatchewan', 'America/Regina'],
  ])('%s is brought to its own spelling', (written, zone) => {
    expect(canonicalZone(written)).toBe(zone);
  });

  test.each(['+05:30', '-03', '+0530', 'Mars/Olympus', '', 'PST', 'UTC+5', ' UTC'])(
    '%j is none',
    (written) => {
      expect(canonicalZone(written)).toBeNull();
      expect(() => parseTimezone(written, 'quietHours.timezone')).toThrow(
        expect.objectContaining({
          hint: 'quietHours.timezone: must be an IANA name such as Europe/Berlin',
        }),
      );
    },
  );
});

describe('the time of a digest', () => {
  test.each([
    ['Europe/Berlin', { timezone: 'Europe/Berlin', hour: 8, minute: 0 }],
    ['europe/berlin', { timezone: 'Europe/Berlin', hour: 8, minute: 0 }],
    ['+05:30', { timezone: 'UTC', hour: 2, minute: 30 }],
    ['-03', { timezone: 'UTC', hour: 11, minute: 0 }],
    ['+14:00', { timezone: 'UTC', hour: 18, minute: 0 }],
    ['no zone', { timezone: 'UTC', hour: 8, minute: 0 }],
  ])('kept with %s is one that can be scheduled', (timezone, time) => {
    expect(toDailyTime({ timezone, hour: 8 })).toEqual(time);
  });
});
