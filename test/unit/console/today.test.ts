import { describe, expect, test } from 'bun:test';
import { sentenceOf } from '../../../src/console/pages/today/sentence.ts';
import { sinceYesterday } from '../../../src/console/pages/today/since.ts';
import { versionSlots } from '../../../src/console/parts/chart/version-slots.ts';
import { byVersion } from '../../../src/console/state/version-order.ts';
import { shortNameOf } from '../../../src/console/state/short-name.ts';
import {
  type VersionComparison,
  versionTones,
} from '../../../src/console/state/version-comparison.ts';
import { versionsInUse } from '../../../src/console/state/version-days-in-use.ts';

const TODAY = '2026-11-23';
const YESTERDAY = {
  day: '2026-11-22',
  value: 776,
  before: 669,
  against: '2026-11-15',
  isPartial: false,
};
const found = (severity: 'act' | 'warn', title: string) => ({ severity, title, step: null });
const STEPS = [
  { index: 1, event: 'app_opened', label: 'App opened' },
  { index: 2, event: 'paywall_viewed', label: 'Paywall viewed' },
  { index: 3, event: 'purchase_completed', label: 'Purchase completed' },
];
const COMPARISON: VersionComparison = {
  worse: { appVersion: '2.4.0', firstSeenOn: '2026-11-07' },
  before: { appVersion: '2.3.1', firstSeenOn: null },
  later: { appVersion: '2.4.1', firstSeenOn: '2026-11-14' },
  hasRecovered: true,
};
const version = (step: number | null, of: Partial<VersionComparison> = {}) => ({
  ...found('warn', '2.4.0 sells half as well'),
  step,
  comparison: { ...COMPARISON, ...of },
});
const sentence = (
  recommendations: Parameters<typeof sentenceOf>[0]['found'],
  latest: Parameters<typeof sentenceOf>[1] = YESTERDAY,
  hasUnchecked = false,
) => sentenceOf({ found: recommendations, steps: STEPS, hasUnchecked }, latest, TODAY);

describe('the sentence of Today', () => {
  test('says how many came where nothing stands out', () => {
    expect(sentence([])).toEqual({
      tone: 'good',
      lead: 'Nothing stands out.',
      text: '776 people yesterday, 16% more than on Sun Nov 15.',
    });
  });

  test('does not say so where a rule was not looked at', () => {
    expect(sentence([], YESTERDAY, true)).toEqual({
      tone: 'warn',
      lead: 'Not all of it was looked at.',
      text: 'Versions could not be compared in time; they are asked for again.',
    });
    const known = [found('act', 'Fewer buy')];
    expect(sentence(known, YESTERDAY, true)).toEqual(sentence(known));
  });

  test.each([
    [{ ...YESTERDAY, before: 1_000 }, '776 people yesterday, 22.4% fewer than on Sun Nov 15.'],
    [{ ...YESTERDAY, before: 770 }, '776 people yesterday, about as many as on Sun Nov 15.'],
    [{ ...YESTERDAY, before: null }, '776 people yesterday.'],
    [{ ...YESTERDAY, value: 1, before: 9 }, '1 person yesterday.'],
    [{ ...YESTERDAY, day: '2026-11-13', before: null }, '776 people on Fri Nov 13.'],
    [{ ...YESTERDAY, day: TODAY, value: 3, isPartial: true }, '3 people today so far.'],
  ])('of %j says that %s', (latest, text) => {
    expect(sentence([], latest).text).toBe(text);
  });

  test('says what a rule found', () => {
    expect(sentence([found('warn', 'Conversion falls')])).toEqual({
      tone: 'warn',
      lead: 'One thing to look at.',
      text: 'Conversion falls.',
    });
  });

  test('says since when a version sells less, and with which one that was over', () => {
    expect(sentence([version(3)]).text).toBe(
      'Sales at the paywall fell with 2.4.0 on Nov 7 and came back with 2.4.1 on Nov 14.',
    );
    expect(sentence([version(3, { hasRecovered: false })]).text).toBe(
      'Sales at the paywall fell with 2.4.0 on Nov 7.',
    );
    const worse = { appVersion: '2.4.0', firstSeenOn: null };
    expect(sentence([version(2, { worse, hasRecovered: false })]).text).toBe(
      'Arrivals at “Paywall viewed” fell with 2.4.0.',
    );
  });

  test('begins with what a version did, then with what asks to act', () => {
    const all = [found('warn', 'Refunds rise'), found('act', 'More are lost'), version(null)];
    expect(sentence(all)).toEqual({
      tone: 'bad',
      lead: 'Three things to look at.',
      text: 'Conversion fell with 2.4.0 on Nov 7 and came back with 2.4.1 on Nov 14. More are lost.',
    });
  });

  test('names as much as a line holds', () => {
    const [long, other] = [found('act', 'x'.repeat(70)), found('warn', 'y'.repeat(70))];
    expect(sentence([long, other]).text).toBe(`${'x'.repeat(70)}.`);
    const [one, two] = [found('act', 'Refunds rise'), found('warn', 'Events are missing')];
    expect(sentence([one, two]).text).toBe('Refunds rise. Events are missing.');
  });
});

test('marks of versions are tinted where a rule spoke of them', () => {
  expect([...versionTones([version(3), found('act', 'Refunds rise')])]).toEqual([
    ['2.4.0', 'warn'],
    ['2.4.1', 'good'],
  ]);
  expect([...versionTones([{ ...version(3), severity: 'info' }])]).toEqual([['2.4.1', 'good']]);
  expect([...versionTones([version(3, { hasRecovered: false })])]).toEqual([['2.4.0', 'warn']]);
});

const day = (of: { new?: number; churned?: number }) => ({
  subscriptions: { new: 0, returned: 0, churned: 0, recovered: 0, ...of },
  mrr: { returned: 0, churned: (of.churned ?? 0) * 299 },
});
const USD = (amountMinor: number) => ({ currency: 'USD', amountMinor });
const change = (kind: 'refunded' | 'payment_failed', graceExpiresAt: string | null) => ({
  at: '2026-11-22T10:00:00.000Z',
  kind,
  sentence: '',
  productId: 'com.example.pro_monthly',
  customerId: 'user-1',
  originalTransactionId: '1',
  ...USD(599),
  graceExpiresAt,
});
const total = (
  kind: 'bought' | 'trial_started' | 'refunded' | 'payment_failed',
  count: number,
) => ({
  kind,
  count,
  amounts: [USD(kind === 'trial_started' ? 0 : count * 599)],
  withoutPrice: 0,
});

describe('what came since yesterday', () => {
  const until = '2026-11-23T12:00:00.000Z';
  const byDay = [day({ new: 9 }), day({ new: 3 }), day({ churned: 1 })];

  test('is what customers did, each refund and failure by itself while they are few', () => {
    const recent = {
      until,
      totals: [
        total('bought', 1),
        total('trial_started', 2),
        total('refunded', 1),
        total('payment_failed', 1),
      ],
      changes: [change('refunded', null), change('payment_failed', '2026-11-29T10:00:00.000Z')],
    };
    const told = {
      key: '2026-11-22T10:00:00.000Z user-1',
      productId: 'com.example.pro_monthly',
      customerId: 'user-1',
      amounts: [USD(599)],
    };
    expect(sinceYesterday(recent, { byDay })).toEqual({
      started: { subscribers: 1, trials: 2, amounts: [USD(599)] },
      converted: 2,
      returned: { count: 0, mrrMinor: 0 },
      ended: { count: 1, mrrMinor: 299 },
      refunds: [{ ...told, isInGrace: false }],
      failures: [{ ...told, isInGrace: true }],
      recovered: 0,
    });
  });

  test('is counted where more came than a card holds, or than the answer lists', () => {
    const failed = change('payment_failed', '2026-11-29T10:00:00.000Z');
    const recent = {
      until,
      totals: [total('refunded', 2), total('payment_failed', 3)],
      changes: [failed, { ...failed, graceExpiresAt: null }, failed, change('refunded', null)],
    };
    expect(sinceYesterday(recent, { byDay })).toMatchObject({
      started: { subscribers: 0, trials: 0, amounts: [] },
      refunds: { count: 2, amounts: [USD(2 * 599)], inGrace: 0 },
      failures: { count: 3, amounts: [USD(3 * 599)], inGrace: 2 },
    });
  });

  test('is nothing where nothing came', () => {
    const recent = { until, totals: [], changes: [] };
    expect(sinceYesterday(recent, { byDay: [] })).toMatchObject({ refunds: [], failures: [] });
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
