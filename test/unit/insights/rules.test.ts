import { describe, expect, test } from 'bun:test';
import { groupFigures } from '../../../src/modules/questions/funnel/present.ts';
import type { Facts, MatureFunnel } from '../../../src/modules/insights/facts.ts';
import { RECOMMENDATION_CODES, type StoreFigures } from '../../../src/modules/insights/model.ts';
import { RULES, recommend } from '../../../src/modules/insights/rules.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000).toISOString();

const STEPS = ['app_opened', 'onboarding_completed', 'purchase_completed'].map((event) => ({
  event,
  label: event,
}));

/** A funnel with these people at each step. */
const funnel = (...people: number[]): MatureFunnel =>
  groupFigures(STEPS, {
    people,
    medianSecondsFromPrevious: [null, 10, 10],
    medianSecondsFromStart: [null, 10, 20],
  });

const QUIET: Facts = {
  now: NOW,
  events: {
    lastDay: 50,
    weekBefore: 400,
    activeHours: 100,
    firstEventAt: hoursAgo(600),
    lastEventAt: hoursAgo(1),
    people: 40,
    names: new Map([['app_opened', 40]]),
  },
  shown: null,
  funnel: null,
  previousFunnel: null,
  funnelByCountry: [],
  paywallFirst: null,
  store: null,
  versions: null,
};

const STORE: StoreFigures = {
  downloads: 2_000,
  trials: 100,
  subscriptionUnits: 200,
  newSubscriptionUnits: 80,
  iapUnits: 800,
  paidUnits: 1_000,
  refunds: 5,
  previousPaidUnits: 1_000,
  previousRefunds: 5,
  proceedsMinor: 100_000,
  currency: 'USD',
  unconverted: [],
  missingDays: [],
  purchasesByCountry: [],
  downloadToTrial: 0.05,
  downloadToPaid: 0.04,
};

const codes = (facts: Partial<Facts>) => recommend({ ...QUIET, ...facts }).map((one) => one.code);

const NO_EVENTS: Facts['events'] = {
  lastDay: 0,
  weekBefore: 0,
  activeHours: 0,
  firstEventAt: null,
  lastEventAt: null,
  people: 0,
  names: new Map(),
};

describe('recommendations', () => {
  test('a healthy app is told nothing', () => {
    expect(codes({ funnel: funnel(1_000, 900, 800), store: STORE })).toEqual([]);
  });

  test('an app without anything is told nothing', () => {
    expect(codes({ events: NO_EVENTS })).toEqual([]);
  });

  test('every code has exactly one rule', () => {
    expect(RULES.map((rule) => rule.code)).toEqual([...RECOMMENDATION_CODES]);
  });

  test('each states its figure and what it was held against', () => {
    const missingDays = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-07'];
    const [found] = recommend({ ...QUIET, store: { ...STORE, missingDays } });
    expect(found).toMatchObject({
      code: 'store_days_missing',
      severity: 'warn',
      metric: { name: 'missing_days', value: 4, threshold: 0, unit: 'days' },
      step: null,
    });
    expect(found?.detail).toStartWith('4 of these days hold neither');
    expect(found?.detail).toContain('(2026-11-01, 2026-11-02, 2026-11-03 and 1 more)');
    const [one] = recommend({ ...QUIET, store: { ...STORE, missingDays: ['2026-11-01'] } });
    expect(one?.detail).toStartWith('1 day of these holds neither');
  });
});

describe('events_not_arriving', () => {
  const events = (lastDay: number, weekBefore: number, hours: number, activeHours = 150) => ({
    events: {
      ...QUIET.events,
      ...{ lastDay, weekBefore, activeHours },
      lastEventAt: hoursAgo(hours),
    },
  });

  test('silence of an app that usually sends', () => {
    const [found] = recommend({ ...QUIET, ...events(0, 700, 30) });
    expect(found).toMatchObject({ code: 'events_not_arriving', severity: 'act' });
    expect(found?.metric).toMatchObject({ value: 30, threshold: 24, unit: 'hours' });
  });

  test('counts whole hours, and needs a hundred events in the week before', () => {
    const [found] = recommend({ ...QUIET, ...events(0, 100, 30.9) });
    expect(found?.metric.value).toBe(30);
    expect(found?.detail).toContain('came 30 hours ago');
  });

  test('not one that sends little anyway, nor one that sends', () => {
    expect(codes(events(0, 99, 30))).toEqual([]);
    expect(codes(events(1, 700, 3))).toEqual([]);
  });

  test('not the silence of days that a small app has by chance', () => {
    // 20 hours of 168 have events: 78 hours without any come once in 10,000 times.
    expect(codes(events(0, 120, 77, 20))).toEqual([]);
    const [found] = recommend({ ...QUIET, ...events(0, 120, 78, 20) });
    expect(found?.metric).toMatchObject({ value: 78, threshold: 78 });
  });

  test('downloads without a single event', () => {
    const silent = { events: NO_EVENTS };
    const [found] = recommend({ ...QUIET, ...silent, store: { ...STORE, downloads: 3_021 } });
    expect(found).toMatchObject({
      code: 'events_not_arriving',
      severity: 'act',
      metric: { name: 'downloads_without_people', value: 3_021, threshold: 50, unit: 'units' },
    });
    expect(codes({ ...silent, store: { ...STORE, downloads: 49 } })).toEqual([]);
  });

  test('downloads of which nobody enters the funnel, although events arrive', () => {
    const shown = { people: 0, endsAt: new Date(hoursAgo(12)), withFirstStep: 0 };
    const [found] = recommend({ ...QUIET, store: STORE, shown });
    expect(found).toMatchObject({ code: 'events_not_arriving', severity: 'act' });
    expect(found?.title).toContain('nobody enters the funnel');
    expect(codes({ store: { ...STORE, downloads: 49 }, shown })).toEqual([]);
  });

  test('never of an app whose shown funnel has people, or may get them of its first day', () => {
    const shown = { people: 137, endsAt: new Date(hoursAgo(12)), withFirstStep: 137 };
    // Nobody of them has had their time to convert.
    const young = { store: STORE, funnel: funnel(0, 0, 0), previousFunnel: funnel(0, 0, 0) };
    expect(codes({ ...young, shown })).toEqual([]);
    expect(codes({ ...young, shown, events: NO_EVENTS })).toEqual([]);
    const none = { ...young, shown: { ...shown, people: 0, withFirstStep: 0 } };
    const since = (hours: number) => ({ ...QUIET.events, firstEventAt: hoursAgo(hours) });
    expect(codes({ ...none, events: since(35) })).toEqual([]);
    expect(codes({ ...none, events: since(36) })).toEqual(['events_not_arriving']);
    expect(codes({ ...none, shown: { ...none.shown, withFirstStep: 1 } })).toEqual([]);
  });
});

describe('store_days_missing', () => {
  test('from one day on', () => {
    expect(codes({ store: { ...STORE, missingDays: ['2026-11-01'] } })).toEqual([
      'store_days_missing',
    ]);
  });
});

describe('too_few_people', () => {
  test('at 49, not at 50 nor at none', () => {
    expect(codes({ funnel: funnel(49, 40, 35) })).toEqual(['too_few_people']);
    expect(codes({ funnel: funnel(50, 48, 47) })).toEqual([]);
    expect(codes({ funnel: funnel(0, 0, 0) })).toEqual([]);
  });
});

describe('biggest_leak', () => {
  test('is information while there is no window before: the step that surely loses most', () => {
    const [found] = recommend({ ...QUIET, funnel: funnel(1_000, 300, 290) });
    expect(found).toMatchObject({ code: 'biggest_leak', severity: 'info', step: 2 });
    expect(found?.metric).toMatchObject({ value: 0.3, unit: 'rate' });
    expect(found?.metric.threshold).toBeCloseTo(0.94, 2);
    expect(found?.detail).toContain('700 people');
    expect(codes({ funnel: funnel(1_000, 600, 350) })).toEqual([]);
  });

  test('acts on a step that surely lets fewer through than before, and by a seventh at least', () => {
    const previousFunnel = funnel(6_000, 4_000, 1_000);
    const [found] = recommend({ ...QUIET, funnel: funnel(6_000, 4_000, 800), previousFunnel });
    expect(found).toMatchObject({
      code: 'biggest_leak',
      severity: 'act',
      step: 3,
      metric: { value: 0.2 },
    });
    expect(found?.detail).toContain('20.0 % of those');
    expect(found?.detail).toContain('after 25.0 %');
    // Surely fewer, but by less than days differ anyway; and by as much, but not surely.
    const codesOf = (...people: number[]) => codes({ funnel: funnel(...people), previousFunnel });
    expect(codesOf(60_000, 40_000, 9_000)).not.toContain('biggest_leak');
    expect(codesOf(120, 80, 16)).not.toContain('biggest_leak');
  });

  test('says nothing of a funnel that is as it was, however many it loses', () => {
    const same = funnel(1_000, 300, 10);
    expect(codes({ funnel: same, previousFunnel: same })).toEqual([]);
  });

  test('never judges a funnel of too few', () => {
    expect(codes({ funnel: funnel(40, 2, 1) })).toEqual(['too_few_people']);
  });
});

describe('paywall_before_value', () => {
  test('when surely more than half finish only after it', () => {
    expect(codes({ paywallFirst: { viewers: 200, finishedAfter: 140 } })).toEqual([
      'paywall_before_value',
    ]);
    expect(codes({ paywallFirst: { viewers: 200, finishedAfter: 105 } })).toEqual([]);
    expect(codes({ paywallFirst: { viewers: 40, finishedAfter: 40 } })).toEqual([]);
  });

  test('states the share', () => {
    const [found] = recommend({ ...QUIET, paywallFirst: { viewers: 200, finishedAfter: 140 } });
    expect(found?.metric).toMatchObject({ value: 0.7, threshold: 0.5, unit: 'rate' });
    expect(found?.severity).toBe('info');
    expect(found?.detail).toStartWith('70.0 % of the 200 people');
  });

  test('from where the interval begins above a half', () => {
    // Of 10,000 people 5,098 have their lower end just above a half, and 5,097 just below.
    const of = (finishedAfter: number) =>
      codes({ paywallFirst: { viewers: 10_000, finishedAfter } });
    expect(of(5_097)).toEqual([]);
    expect(of(5_098)).toEqual(['paywall_before_value']);
  });
});

describe('trial_not_offered', () => {
  const store = { ...STORE, trials: 0, newSubscriptionUnits: 20 };

  test('subscriptions, and no trial from either source', () => {
    expect(codes({ store })).toEqual(['trial_not_offered']);
    expect(codes({ store: { ...store, newSubscriptionUnits: 19 } })).toEqual([]);
    // 20 renewals are no subscriptions that were sold without a trial.
    const renewed = { ...store, subscriptionUnits: 20, newSubscriptionUnits: 0 };
    expect(codes({ store: renewed })).toEqual([]);
    expect(codes({ store: { ...store, newSubscriptionUnits: null } })).toEqual([]);
    expect(codes({ store: { ...store, trials: 1 } })).toEqual([]);
    const names = new Map([['trial_started', 1]]);
    expect(codes({ store, events: { ...QUIET.events, names } })).toEqual([]);
  });
});

describe('conversion_falling', () => {
  test('only when the intervals do not touch', () => {
    const previousFunnel = funnel(2_000, 1_900, 1_800);
    expect(codes({ funnel: funnel(2_000, 1_700, 1_600), previousFunnel })).toEqual([
      'conversion_falling',
    ]);
    // A step explains it: one fall is one piece of news.
    const [found, ...more] = recommend({
      ...QUIET,
      funnel: funnel(2_000, 1_500, 1_400),
      previousFunnel,
    });
    expect(more).toEqual([]);
    expect(found?.code).toBe('biggest_leak');
    expect(found?.detail).toEndWith('Of all people 70.0 % came through, after 90.0 %.');
    expect(codes({ funnel: funnel(2_000, 1_890, 1_785), previousFunnel })).toEqual([]);
    expect(codes({ funnel: funnel(2_000, 1_950, 1_900), previousFunnel })).toEqual([]);
    expect(
      codes({ funnel: funnel(2_000, 1_900, 1_700), previousFunnel: funnel(40, 40, 40) }),
    ).not.toContain('conversion_falling');
    // Surely less, but by less than a tenth.
    expect(
      codes({
        funnel: funnel(20_000, 19_000, 16_500),
        previousFunnel: funnel(20_000, 19_000, 18_000),
      }),
    ).toEqual([]);
  });
});

test('conversion_falling: intervals that touch at their ends are none', () => {
  const previousFunnel = funnel(2_000, 1_900, 1_800);
  const touching = previousFunnel.overall.rateLow!;
  const now = funnel(2_000, 1_700, 1_600);
  const withHigh = (rateHigh: number) => ({
    funnel: { ...now, overall: { ...now.overall, rateHigh } },
    previousFunnel,
  });
  expect(codes(withHigh(touching))).toEqual([]);
  expect(codes(withHigh(touching - 1e-9))).toEqual(['conversion_falling']);
});

test('open notices of the store, of either kind', () => {
  expect(codes({ notices: { consents: 0, tokens: 0 } })).toEqual([]);
  expect(codes({ notices: { consents: 2, tokens: 0 } })).toEqual(['consent_rescinded']);
  expect(codes({ notices: { consents: 0, tokens: 1 } })).toEqual(['external_purchase_token']);
  const [found] = recommend({ ...QUIET, notices: { consents: 1, tokens: 0 } });
  expect(found).toMatchObject({ severity: 'act', metric: { value: 1, unit: 'people' } });
  expect(found?.detail).toStartWith('1 notice is open.');
});

describe('refunds_rising', () => {
  test('only beyond the interval of the window before, from ten refunds on', () => {
    expect(codes({ store: { ...STORE, refunds: 60, previousRefunds: 20 } })).toEqual([
      'refunds_rising',
    ]);
    expect(codes({ store: { ...STORE, refunds: 24, previousRefunds: 20 } })).toEqual([]);
    expect(codes({ store: { ...STORE, paidUnits: 30, refunds: 9, previousRefunds: 0 } })).toEqual(
      [],
    );
    expect(
      codes({ store: { ...STORE, refunds: 60, previousPaidUnits: 0, previousRefunds: 0 } }),
    ).toEqual([]);
  });

  test('states the rate', () => {
    const [found] = recommend({ ...QUIET, store: { ...STORE, refunds: 60 } });
    expect(found?.metric).toMatchObject({ name: 'refund_rate', value: 0.06, unit: 'rate' });
    expect(found?.detail).toStartWith('60 refunds beside 1000 paid units, after 5 beside 1000');
  });

  test('ten refunds are enough', () => {
    const store = { ...STORE, paidUnits: 30, refunds: 10, previousRefunds: 0 };
    expect(codes({ store })).toEqual(['refunds_rising']);
  });

  test('more refunds than sales are no reason to fail', () => {
    expect(codes({ store: { ...STORE, paidUnits: 20, refunds: 40 } })).toEqual(['refunds_rising']);
  });
});

describe('country_buys_but_does_not_convert', () => {
  const purchasesByCountry = [
    { country: 'US', units: 700 },
    { country: 'BR', units: 200 },
    { country: 'DE', units: 100 },
  ];
  const facts = (brazil: MatureFunnel, purchases = purchasesByCountry) => ({
    store: { ...STORE, purchasesByCountry: purchases },
    funnel: funnel(5_000, 4_500, 4_000),
    funnelByCountry: [
      { country: 'US', ...funnel(3_000, 2_800, 2_600) },
      { country: 'BR', ...brazil },
    ],
  });

  test('a country with a tenth of the purchases whose interval lies below everybody', () => {
    expect(codes(facts(funnel(1_000, 700, 500)))).toEqual(['country_buys_but_does_not_convert']);
    expect(codes(facts(funnel(1_000, 900, 790)))).toEqual([]);
    expect(codes(facts(funnel(40, 10, 1)))).toEqual([]);
  });

  test('a tenth of fifty purchases is enough, and an interval that touches is not', () => {
    const of = (brazil: number, all: number) =>
      codes(
        facts(funnel(1_000, 700, 500), [
          { country: 'US', units: all - brazil },
          { country: 'BR', units: brazil },
        ]),
      );
    expect(of(5, 50)).toEqual(['country_buys_but_does_not_convert']);
    expect(of(5, 49)).toEqual([]);
    expect(of(9, 100)).toEqual([]);
    const all = facts(funnel(1_000, 700, 500));
    const low = all.funnel.overall.rateLow!;
    const withHigh = (rateHigh: number) =>
      codes({
        ...all,
        funnelByCountry: all.funnelByCountry.map((group) => ({
          ...group,
          overall: { ...group.overall, rateHigh },
        })),
      });
    expect(withHigh(low)).toEqual([]);
    expect(withHigh(low - 1e-9)).toEqual(['country_buys_but_does_not_convert']);
  });

  test('not where its purchases are few, or cannot be told apart', () => {
    const few = [
      { country: 'US', units: 990 },
      { country: 'BR', units: 10 },
    ];
    expect(codes(facts(funnel(1_000, 700, 500), few))).toEqual([]);
    expect(codes(facts(funnel(1_000, 700, 500), [{ country: 'BR', units: 20 }]))).toEqual([]);
    expect(codes({ ...facts(funnel(1_000, 700, 500)), store: null })).toEqual([]);
  });
});
