import { describe, expect, test } from 'bun:test';
import { endOfDayIn, instantsIn, sentenceWith } from '../../../src/console/pages/people/dates.ts';
import { happeningsOf } from '../../../src/console/pages/people/happenings.ts';
import { pathOf, sessionsOf } from '../../../src/console/pages/people/sessions.ts';

describe('a day in a sentence of the service', () => {
  const show = { instant: (iso: string) => `<${iso}>`, day: (day: string) => `[${day}]` };

  test('is written as the instant that it is of, wherever that stands', () => {
    const customer = { purchases: [{ expiresAt: '2026-11-06T23:50:00.000Z', price: 3 }] };
    expect(sentenceWith('Ended on 2026-11-06.', instantsIn(customer), show)).toBe(
      'Ended on <2026-11-06T23:50:00.000Z>.',
    );
  });

  test('is written as a day where no instant of it is known', () => {
    expect(sentenceWith('Failed on 2026-11-06.', [], show)).toBe('Failed on [2026-11-06].');
  });
});

describe('a purchase in the course of a person', () => {
  const endOf = (more: object) => {
    const bought = { productId: 'pro', purchasedAt: '2026-11-01T10:00:00Z', freeTrial: false };
    const taken = { revokedAt: '2026-11-05T10:00:00Z', refundedAt: null, ownership: 'purchased' };
    const transactions = [{ ...bought, ...taken, priceMilliunits: null, ...more }];
    const customer = { purchases: [{ transactions, renewals: [] }], grants: [], history: [] };
    return happeningsOf([], customer as never, []).map(({ what }) => what);
  };

  test('is refunded where its money was given back, and by no upgrade or family', () => {
    expect(endOf({ refundedAt: '2026-11-05T10:00:00Z' })).toEqual(['Refunded', 'Bought']);
    expect(endOf({ upgraded: true })).toEqual(['Bought']);
    expect(endOf({ ownership: 'family_shared' })).toEqual([
      ...['No longer shared by the family', 'Bought'],
    ]);
  });
});

describe('the end of a day', () => {
  test('is that of the zone', () => {
    expect(endOfDayIn('2026-11-30', 'UTC')).toBe('2026-11-30T23:59:59.000Z');
    expect(endOfDayIn('2026-11-30', 'America/Los_Angeles')).toBe('2026-12-01T07:59:59.000Z');
    expect(endOfDayIn('2026-11-30', 'Asia/Kolkata')).toBe('2026-11-30T18:29:59.000Z');
  });

  test('is right on the days on which clocks are put forward or back', () => {
    expect(endOfDayIn('2026-03-29', 'Europe/Berlin')).toBe('2026-03-29T21:59:59.000Z');
    expect(endOfDayIn('2026-10-25', 'Europe/Berlin')).toBe('2026-10-25T22:59:59.000Z');
  });
});

describe('visits of a person', () => {
  const event = (name: string, occurredAt: string, sessionId: string | null) => ({
    ...{ name, occurredAt, sessionId, receivedAt: occurredAt, ts: null, timeFlag: null },
    ...{ personId: 'p', anonymousId: 'device-1', userId: null, platform: null, appVersion: null },
    ...{ osVersion: null, locale: null, country: null, props: null, id: null },
  });
  const events = [
    event('paid', '2026-11-06T10:05:00Z', 'one'),
    event('opened', '2026-11-06T10:00:00Z', 'one'),
    event('opened', '2026-11-07T10:00:00Z', 'two'),
    event('viewed', '2026-11-08T10:00:00Z', null),
    event('viewed', '2026-11-08T10:20:00Z', null),
    event('viewed', '2026-11-08T12:00:00Z', null),
  ];

  test('are by session, else by pause, the newest first', () => {
    expect(sessionsOf(events).map(({ from, events: all }) => [from, all.length])).toEqual([
      ['2026-11-08T12:00:00Z', 1],
      ['2026-11-08T10:00:00Z', 2],
      ['2026-11-07T10:00:00Z', 1],
      ['2026-11-06T10:00:00Z', 2],
    ]);
  });

  test('are named by what was done, each once and in its order', () => {
    const visit = sessionsOf(events).at(-1);
    expect(visit && pathOf(visit, 1)).toEqual({ names: ['opened'], more: 1 });
    expect(visit && pathOf(visit, 4)).toEqual({ names: ['opened', 'paid'], more: 0 });
  });
});
