import { describe, expect, test } from 'bun:test';
import {
  drawnGroups,
  type Figures,
  groupsOf,
  referenceOf,
} from '../../../src/console/pages/funnels/groups.ts';
import { fallOf, sentenceOf } from '../../../src/console/pages/funnels/sentence.ts';
import { headOr, stepWords } from '../../../src/console/pages/funnels/step-words.ts';
import { REST } from '../../../src/console/state/sent-values.ts';
import { must } from '../../../src/shared/assert.ts';
import { wilson } from '../../../src/shared/statistics/rates.ts';

type Report = Parameters<typeof sentenceOf>[0];

const EVENTS = ['app_opened', 'onboarding_completed', 'paywall_viewed', 'purchase_completed'];
const LABELS = ['App opened', 'Onboarding completed', 'Paywall viewed', 'Purchase completed'];

/** Figures as the API reckons them, of how many people came to each step. */
function figures(counts: readonly number[], labels = LABELS): Figures {
  const [people = 0] = counts;
  const isReady = people >= 50;
  const losses = counts.map((count, at) => (counts[at - 1] ?? count) - count);
  const most = losses.indexOf(Math.max(...losses));
  const steps = counts.map((count, at) => {
    const before = counts[at - 1];
    const own = before === undefined ? null : { ...wilson(count, before), rate: count / before };
    return {
      index: at + 1,
      event: EVENTS[at] ?? 'other',
      label: labels[at] ?? '',
      where: null,
      people: isReady ? count : null,
      rateFromPrevious: isReady ? (own?.rate ?? null) : null,
      rateFromStart: isReady ? count / people : null,
      rateFromPreviousLow: isReady ? (own?.low ?? null) : null,
      rateFromPreviousHigh: isReady ? (own?.high ?? null) : null,
      medianSecondsFromPrevious: null,
      medianSecondsFromStart: null,
      dropped: isReady ? (losses[at] ?? 0) : null,
      verdict: at > 0 && at === most ? ('biggest_leak' as const) : ('healthy' as const),
    };
  });
  const last = counts.at(-1) ?? 0;
  const { low, high } = must(wilson(last, people), 'people');
  return {
    people,
    verdict: isReady ? 'ready' : 'too_few_people',
    steps,
    overall: { rate: last / people, rateLow: low, rateHigh: high, medianSeconds: 146 },
  };
}

function reportOf(by: string | null, values: Readonly<Record<string, readonly number[]>>): Report {
  const all = Object.values(values);
  const sums = (all[0] ?? []).map((_, at) => all.reduce((sum, one) => sum + (one[at] ?? 0), 0));
  return {
    ...figures(sums),
    ...{ funnelId: 'fun_1', appId: 'app_1', name: 'Onboarding', conversionWindowHours: 336 },
    window: { from: '2026-10-26T00:00:00.000Z', to: '2026-11-23T00:00:00.000Z', days: 28 },
    timezone: 'UTC',
    filters: { platform: null, appVersion: null, country: null },
    ...{ maturePeople: 0, minimumPeople: 50 },
    ...{ computedAt: '2026-11-23T05:33:00.000Z', dataThrough: '2026-11-23T05:33:00.000Z' },
    breakdown: by
      ? {
          by,
          values: Object.entries(values)
            .toSorted(([, one], [, other]) => (other[0] ?? 0) - (one[0] ?? 0))
            .map(([value, counts]) => ({ value, ...figures(counts) })),
        }
      : null,
  };
}

function saidOf(report: Report): string {
  const groups = report.breakdown ? groupsOf(report.breakdown) : [];
  const { lead, text } = sentenceOf(report, groups, referenceOf(report, groups));
  return `${lead} ${text}`;
}

/** The month that the pictures were drawn from. */
const MONTH = {
  '2.3.1': [1_515, 1_111, 840, 107],
  '2.4.0': [655, 495, 381, 23],
  '2.4.1': [828, 573, 452, 53],
};

describe('the sentence of a funnel', () => {
  test('says which version made it worse, and that the next one undid it', () => {
    expect(saidOf(reportOf('appVersion', MONTH))).toBe(
      'Most stop at the paywall, and 2.4.0 made it worse. There 6.0% bought, against 12.7% on 2.3.1. That is certain; since 2.4.1 it is 11.7%.',
    );
  });

  test('says what may be chance where the intervals touch', () => {
    const month = { ...MONTH, '2.4.0': [655, 495, 381, 33] };
    expect(saidOf(reportOf('appVersion', month))).toBe(
      'Most stop at the paywall. There 8.7% bought on 2.4.0, against 12.7% on 2.3.1. The intervals touch, so that may be chance.',
    );
  });

  test('names a certain fall at another step than the biggest leak', () => {
    const month = { '1.0': [1_000, 900, 800, 100], '1.1': [1_000, 700, 620, 78] };
    expect(saidOf(reportOf('appVersion', month))).toBe(
      'Most stop at the paywall, and 1.1 loses more after opening the app. 70.0% completed onboarding, against 90.0% on 1.0. That is certain.',
    );
  });

  test('holds what is no version against all', () => {
    const countries = { US: [2_000, 1_500, 1_200, 180], FR: [600, 450, 360, 18] };
    expect(saidOf(reportOf('country', countries))).toBe(
      'Most stop at the paywall, and worst is France. There 5.0% bought, against 12.7% of all. That is certain.',
    );
  });

  test('says without a breakdown how many go on', () => {
    expect(saidOf(reportOf(null, MONTH))).toBe(
      'Most stop at the paywall. Of 1,673 people who saw the paywall, 10.9% bought.',
    );
  });

  test('says how it changed, and whether that is certain', () => {
    const report = reportOf(null, MONTH);
    const change = { now: 0.061, before: 0.073, difference: -0.012, low: -0.02, high: -0.004 };
    const comparison = {
      window: { from: '2026-09-28T00:00:00.000Z', to: '2026-10-26T00:00:00.000Z' },
      ...{ people: 900, verdict: 'ready' as const },
      steps: [{ index: 4, people: 66, fromPrevious: null, fromStart: change }],
    };
    expect(saidOf({ ...report, comparison })).toEndWith(
      ' bought. Conversion is 1.2 points lower than in Sep 28 – Oct 25, and that is certain.',
    );
    const touching = { ...change, high: 0.001 };
    const steps = [{ index: 4, people: 66, fromPrevious: null, fromStart: touching }];
    expect(saidOf({ ...report, comparison: { ...comparison, steps } })).toEndWith(
      'which may be chance.',
    );
  });
});

describe('groups of a funnel', () => {
  test('are versions by age, held against the oldest that has rates', () => {
    const report = reportOf('appVersion', { ...MONTH, '2.2.9': [12, 8, 4, 1] });
    const groups = groupsOf(report.breakdown ?? { by: '', values: [] });
    expect(groups.map(({ name }) => name)).toEqual(['2.2.9', '2.3.1', '2.4.0', '2.4.1']);
    expect(drawnGroups(groups).map(({ name }) => name)).toEqual(['2.3.1', '2.4.0', '2.4.1']);
    const reference = referenceOf(report, groups);
    expect(reference.group?.name).toBe('2.3.1');
    expect(fallOf(report, groups, reference)).toMatchObject({
      group: { name: '2.4.0' },
      step: 3,
      isCertain: true,
      isWhereMostStop: true,
      later: { group: { name: '2.4.1' }, isCertain: true },
    });
  });

  test('are values but for the rest, whatever a value is called', () => {
    const { breakdown } = reportOf('prop:source', { ':rest': [90, 9], other: [80, 8] });
    const values = breakdown?.values ?? [];
    const rest = { value: 'other', rest: true as const, ...figures([70, 7]) };
    const groups = groupsOf({ by: 'prop:source', values: [...values, rest] });
    expect(groups.map(({ value, name }) => [value === REST, name])).toEqual([
      [false, ':rest'],
      [false, 'other'],
      [true, 'Other'],
    ]);
    expect(new Set(groups.map(({ value }) => value)).size).toBe(3);
  });
});

describe('words of a step', () => {
  test('are those of a known event under its own label, else the label', () => {
    const step = { event: 'paywall_viewed', label: 'Paywall viewed', where: null };
    expect(stepWords(step).place).toBe('at the paywall');
    expect(stepWords({ ...step, label: 'Saw offers' }).place).toBe('after “Saw offers”');
    expect(stepWords({ ...step, where: { prop: 'variant', equals: 'b' } }).did).toBe(
      'reached “Paywall viewed”',
    );
  });

  test('are short over a column', () => {
    expect(headOr('saw the paywall', 'Reached it')).toBe('Saw the paywall');
    expect(headOr('reached “A label that is longer than that”', 'Reached it')).toBe('Reached it');
  });
});
