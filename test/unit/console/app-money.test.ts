import { describe, expect, test } from 'bun:test';
import { appSales, lateDays, salesChange } from '../../../src/console/state/app-sales.ts';
import { beginsWithOpen, opensFirst } from '../../../src/console/state/first-open.ts';
import { revenueChange, revenueOfAll } from '../../../src/console/state/revenue-of-all.ts';

type Sales = Parameters<typeof appSales>[0];
type Revenue = Parameters<typeof revenueOfAll>[0][number];

/** A helper of tests: only what is read of an answer. */
const answer = <T>(part: unknown): T => part as T;

const sales = answer<Sales>({
  currency: 'USD',
  isComparable: true,
  freshness: { coveredThrough: '2026-11-21' },
  missing: { days: ['2026-11-20', '2026-11-22'] },
  series: [
    { day: '2026-11-19', covered: true },
    { day: '2026-11-20', covered: false },
    { day: '2026-11-21', covered: true },
  ],
  seriesByApp: [
    { day: '2026-11-21', storeAppId: '1', proceedsMinor: 300, downloads: 2 },
    { day: '2026-11-21', storeAppId: '2', proceedsMinor: 900, downloads: 9 },
  ],
  byApp: [
    {
      key: '1',
      storeAppId: '1',
      appId: 'app_1',
      proceedsMinor: 300,
      downloads: 2,
      unconverted: [],
    },
    { key: '2', storeAppId: '2', appId: null, proceedsMinor: 900, downloads: 9, unconverted: [] },
  ],
  previousByApp: [{ key: '1', proceedsMinor: 200, downloads: 0 }],
});

const APP = 'app_1';

describe('sales of an app', () => {
  test('have a gap on a day that the store has not told about, and nothing on one without sales', () => {
    expect(appSales(sales, APP)).toMatchObject({
      days: ['2026-11-19', '2026-11-20', '2026-11-21'],
      proceedsByDay: [0, null, 300],
      downloadsByDay: [0, null, 2],
    });
  });

  test('change against the days before, where there is something to hold them against', () => {
    const own = appSales(sales, APP);
    expect(own && salesChange(own, 'proceedsMinor')).toBe(0.5);
    expect(own && salesChange(own, 'downloads')).toBeNull();
    const before = appSales({ ...sales, isComparable: false }, APP);
    expect(before && salesChange(before, 'proceedsMinor')).toBeNull();
  });

  test('are none of an app that the store does not know', () => {
    expect(appSales(sales, 'app_9')).toBeUndefined();
    expect(appSales({ ...sales, byApp: [] }, APP)).toBeUndefined();
  });

  test('of two stores add up', () => {
    const google = { storeAppId: 'com.example', proceedsMinor: 40, downloads: 5 };
    const unconverted = [{ currency: 'ISK', proceedsMinor: 7 }];
    const both = {
      ...sales,
      seriesByApp: [...sales.seriesByApp, { ...google, day: '2026-11-21' }],
      byApp: [...sales.byApp, { ...google, key: 'com.example', appId: 'app_1', unconverted }],
      previousByApp: [...sales.previousByApp, { ...google, key: 'com.example' }],
    };
    const own = appSales(answer<Sales>(both), APP);
    expect(own).toMatchObject({ proceedsMinor: 340, downloads: 7, unconverted });
    expect(own?.proceedsByDay).toEqual([0, null, 340]);
    expect(own?.before).toEqual({ proceedsMinor: 240, downloads: 5 });
  });

  test('are late only before the last day that is known', () => {
    expect(lateDays(sales)).toEqual(['2026-11-20']);
  });
});

describe('revenue of several apps', () => {
  const app = (start: number, end: number, active: number) =>
    answer<Revenue>({
      currency: 'USD',
      from: '2026-10-27',
      mrr: { start, end },
      subscriptions: { start: active, end: active + 1 },
      byDay: [{ day: '2026-10-27', mrrMinor: end, active }],
      unconverted: [{ currency: 'TRY', active: 2 }],
      withoutPrice: 1,
    });

  test('is added up, with what the amount lacks', () => {
    expect(revenueOfAll([app(100, 300, 5), app(0, 50, 1)])).toEqual({
      currency: 'USD',
      from: '2026-10-27',
      mrrMinor: 350,
      startMinor: 100,
      active: 8,
      activeAtStart: 6,
      without: 6,
      days: ['2026-10-27'],
      mrrByDay: [350],
      activeByDay: [6],
    });
  });

  test('has no change where it began from nothing', () => {
    const sum = revenueOfAll([app(0, 50, 1)]);
    expect(sum && revenueChange(sum)).toBeNull();
    expect(revenueOfAll([])).toBeUndefined();
  });
});

describe('a funnel', () => {
  test('that begins with the first open is asked for new people only', () => {
    expect(opensFirst([{ event: 'app_opened' }])).toEqual({ people: 'new' });
    expect(opensFirst([{ event: 'paywall_viewed' }])).toEqual({});
    expect(beginsWithOpen([{ event: 'app_opened', where: { prop: 'a', equals: 'b' } }])).toBe(
      false,
    );
    expect(beginsWithOpen([])).toBe(false);
  });
});
