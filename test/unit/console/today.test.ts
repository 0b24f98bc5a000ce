import { describe, expect, test } from 'bun:test';
import { sentenceOf } from '../../../src/console/pages/today/sentence.ts';
import { sinceYesterday } from '../../../src/console/pages/today/since.ts';
import { shortNameOf } from '../../../src/console/state/short-name.ts';
import { versionsInUse } from '../../../src/console/state/version-days-in-use.ts';
import { byVersion, versionSlots } from '../../../src/console/state/version-slots.ts';

const TODAY = '2026-11-23';
const YESTERDAY = {
  day: '2026-11-22',
  value: 776,
  before: 669,
  against: '2026-11-15',
  isPartial: false,
};
const found = (code: string, severity: 'act' | 'warn', title: string) => ({
  code,
  severity,
  title,
});

describe('the sentence of Today', () => {
  test('says how many came where nothing stands out', () => {
    expect(sentenceOf([], YESTERDAY, TODAY)).toEqual({
      tone: 'good',
      lead: 'Nothing stands out.',
      text: '776 people yesterday, 16% more than on Sun Nov 15.',
    });
  });

  test.each([
    [{ ...YESTERDAY, before: 1_000 }, '776 people yesterday, 22.4% fewer than on Sun Nov 15.'],
    [{ ...YESTERDAY, before: 770 }, '776 people yesterday, about as many as on Sun Nov 15.'],
    [{ ...YESTERDAY, before: null }, '776 people yesterday.'],
    [{ ...YESTERDAY, value: 1, before: 9 }, '1 person yesterday.'],
    [{ ...YESTERDAY, day: '2026-11-13', before: null }, '776 people on Fri Nov 13.'],
    [{ ...YESTERDAY, day: TODAY, value: 3, isPartial: true }, '3 people today so far.'],
    [undefined, ''],
  ])('of %j says that %s', (latest, text) => {
    expect(sentenceOf([], latest, TODAY).text).toBe(text);
  });

  test('says what a rule found', () => {
    const one = found('conversion_falling', 'warn', 'Conversion falls');
    expect(sentenceOf([one], YESTERDAY, TODAY)).toEqual({
      tone: 'warn',
      lead: 'One thing to look at.',
      text: 'Conversion falls.',
    });
  });

  test('begins with what a version did, then with what asks to act', () => {
    const all = [
      found('refunds_rising', 'warn', 'Refunds rise'),
      found('biggest_leak', 'act', 'More people are lost'),
      found('version_conversion', 'warn', '2.4.0 sells half as well'),
    ];
    expect(sentenceOf(all, YESTERDAY, TODAY)).toEqual({
      tone: 'bad',
      lead: 'Three things to look at.',
      text: '2.4.0 sells half as well. More people are lost. Refunds rise.',
    });
  });

  test('names as much as a line holds', () => {
    const long = found('biggest_leak', 'act', 'x'.repeat(70));
    const other = found('refunds_rising', 'warn', 'y'.repeat(70));
    expect(sentenceOf([long, other], YESTERDAY, TODAY).text).toBe(`${'x'.repeat(70)}.`);
  });
});

const NOTHING = { new: 0, returned: 0, churned: 0 };
const day = (name: string, of: Partial<Record<'grace' | 'billingRetry', number>> = {}) => ({
  day: name,
  grace: 0,
  billingRetry: 0,
  ...of,
  subscriptions: { ...NOTHING, recovered: 0 },
  mrr: NOTHING,
  refunds: { count: 0, amountMinor: 0 },
});

describe('what came since yesterday', () => {
  test('is of the last two days, and billing problems are those that were not there before', () => {
    const overview = {
      byDay: [
        { ...day('2026-11-21', { grace: 2 }), subscriptions: { ...NOTHING, new: 9, recovered: 0 } },
        {
          ...day('2026-11-22', { grace: 2, billingRetry: 1 }),
          subscriptions: { ...NOTHING, new: 1, recovered: 0 },
          mrr: { ...NOTHING, new: 599 },
          refunds: { count: 1, amountMinor: 599 },
        },
        { ...day(TODAY, { grace: 3, billingRetry: 1 }) },
      ],
      trialConversion: {
        cohorts: [
          { day: '2026-11-21', started: 7 },
          { day: TODAY, started: 2 },
        ],
      },
    };
    expect(sinceYesterday(overview)).toEqual({
      started: { subscribers: 1, trials: 2, mrrMinor: 599 },
      returned: { count: 0, mrrMinor: 0 },
      ended: { count: 0, mrrMinor: 0 },
      refunds: { count: 1, amountMinor: 599 },
      recovered: 0,
      billing: { more: 2, grace: 3, retry: 1 },
    });
  });
});

describe('versions', () => {
  test('stand in the order in which they came', () => {
    expect(['2.10.0', '2.9.1', '2.9'].toSorted(byVersion)).toEqual(['2.9', '2.9.1', '2.10.0']);
  });

  test('have their colours by that order; the oldest beyond six have that of the rest', () => {
    expect([...versionSlots(['2.4.1', '2.3.1', '2.4.0'])]).toEqual([
      ['2.3.1', 1],
      ['2.4.0', 2],
      ['2.4.1', 3],
    ]);
    const many = Array.from({ length: 8 }, (_, at) => `1.${at}`);
    const slots = versionSlots(many);
    expect(['1.0', '1.1', '1.2', '1.7'].map((one) => slots.get(one))).toEqual([
      'other',
      'other',
      1,
      6,
    ]);
  });

  test('in use are the newest by name and the others as one', () => {
    const points = [{ from: '2026-11-21T00:00:00.000Z' }, { from: '2026-11-22T00:00:00.000Z' }];
    const versions = ['1.0', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6'];
    const series = versions.map((key, at) => ({
      key,
      points: [{ people: at }, { people: 1 }],
    }));
    const rest = { key: 'other', rest: true as const, points: [{ people: 5 }, { people: 5 }] };
    const { days, versions: drawn } = versionsInUse({
      timezone: 'UTC',
      points,
      series: [...series.toReversed(), rest],
    });
    expect(days).toEqual(['2026-11-21', '2026-11-22']);
    expect(drawn.map(({ version }) => version)).toEqual([null, '1.2', '1.3', '1.4', '1.5', '1.6']);
    expect(drawn[0]?.values).toEqual([6, 7]);
  });
});

test.each([
  ['Focus Timer', 'focus-timer'],
  ['  Prüf & Pack! ', 'pruf-pack'],
  ['時計 2', '2'],
  ['---', ''],
  [
    'An application whose name is as long as a name may be',
    'an-application-whose-name-is-as-long-as',
  ],
])('the short name of %j is %j', (name, short) => {
  expect(shortNameOf(name)).toBe(short);
});
