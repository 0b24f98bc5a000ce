import { describe, expect, test } from 'bun:test';
import { groupFigures } from '../../../src/modules/questions/funnel/present.ts';
import type { VersionFigures, Versions } from '../../../src/modules/insights/facts.ts';
import { versionFinding } from '../../../src/modules/insights/version-finding.ts';
import { deviationsWithinPlatforms, findFalls } from '../../../src/modules/insights/versions.ts';

const STEPS = [
  { event: 'app_opened', label: 'App opened' },
  { event: 'paywall_viewed', label: 'Paywall viewed' },
  { event: 'purchase_completed', label: 'Purchase completed' },
];
const MEDIANS = [null, 1, 1];

type Reached = readonly [string, ...number[]];

const figuresOf = ([appVersion, ...people]: Reached, steps = STEPS): VersionFigures => ({
  appVersion,
  ...groupFigures(steps, {
    people,
    medianSecondsFromPrevious: MEDIANS,
    medianSecondsFromStart: MEDIANS,
  }),
});

/** Versions with these people at each step, on one platform. */
function versionsOf(reached: readonly Reached[], more: Partial<Versions> = {}): Versions {
  return {
    figures: reached.map((one) => figuresOf(one)),
    platforms: new Map(reached.map(([name, ...people]) => [name, new Map([['ios', people]])])),
    firstSeenOn: new Map(),
    yesterday: { people: 1_000, byVersion: new Map([['2.4.0', 160]]) },
    ...more,
  };
}

const falls = (...reached: Reached[]) =>
  findFalls(reached.map((one) => figuresOf(one))).map(
    ({ worse, place }) => `${worse.appVersion} ${place + 1}`,
  );

const BEFORE = ['2.3.1', 2_000, 1_000, 127] as const;
const WORSE = ['2.4.0', 2_000, 1_000, 60] as const;
const LATER = ['2.4.1', 2_000, 1_000, 117] as const;

describe('a fall of a version', () => {
  test('is each step against the version before, with fifty people on both sides', () => {
    expect(falls(BEFORE, WORSE, LATER)).toEqual(['2.4.0 3']);
    expect(falls(WORSE, BEFORE)).toEqual([]);
    expect(falls(BEFORE, ['2.4.0', 2_000, 600, 40])).toEqual(['2.4.0 3', '2.4.0 2']);
    // What nobody was asked cannot be worse.
    expect(falls(BEFORE, ['2.4.0', 49, 1, 0])).toEqual([]);
    expect(falls(['2.3.1', 50, 50, 50], ['2.4.0', 50, 49, 0])).toEqual([]);
    expect(falls(['2.3.1', 50, 50, 50], ['2.4.0', 50, 50, 0])).toEqual(['2.4.0 3']);
  });

  test('passes over a version of too few for the one before', () => {
    expect(falls(BEFORE, ['2.3.9', 40, 40, 1], WORSE)).toEqual(['2.4.0 3']);
  });

  test('is by a quarter at least', () => {
    const before = ['1', 200_000, 100_000, 20_000] as const;
    expect(falls(before, ['2', 200_000, 100_000, 15_000])).toEqual(['2 3']);
    expect(falls(before, ['2', 200_000, 100_000, 15_001])).toEqual([]);
  });

  test('has intervals that do not touch, further apart the more is compared', () => {
    // 3.694 and 3.61 standard deviations; two comparisons take 3.693, and eight take 4.05.
    const worse = (bought: number) => ['2.4.0', 2_000, 1_000, bought] as const;
    expect(falls(BEFORE, worse(77))).toEqual(['2.4.0 3']);
    expect(falls(BEFORE, worse(78))).toEqual([]);
    const others = ['2.0', '2.1', '2.2'].map((name) => [name, 2_000, 1_000, 127] as const);
    // 4.11 and 4.02.
    expect(falls(...others, BEFORE, worse(72))).toEqual(['2.4.0 3']);
    expect(falls(...others, BEFORE, worse(73))).toEqual([]);
    expect(falls(BEFORE, ['2.4.0', 2_000, 1_000, 85])).toEqual([]);
  });

  test('comes first that nothing came back from, then that of the newest, then the largest', () => {
    const again = ['2.5.0', 2_000, 1_000, 50] as const;
    expect(falls(BEFORE, WORSE, LATER, again)).toEqual(['2.5.0 3', '2.4.0 3']);
    expect(falls(['1', 2_000, 1_900, 1_800], ['2', 2_000, 1_000, 200])).toEqual(['2 3', '2 2']);
    const all = ['1', 20_000, 18_000, 2_160] as const;
    expect(falls(all, ['2', 20_000, 6_000, 420])).toEqual(['2 2', '2 3']);
    expect(
      falls(['1', 2_000, 1_000, 900], ['2', 2_000, 1_000, 400], ['3', 2_000, 1_000, 200]),
    ).toEqual(['3 3', '2 3']);
  });

  test('holds within platforms', () => {
    const people = (opened: number, bought: number) => [opened, opened, bought];
    const all = deviationsWithinPlatforms(
      2,
      new Map([['ios', people(1_000, 60)]]),
      new Map([['ios', people(1_000, 127)]]),
    );
    expect(all).toBeCloseTo(5.14, 2);
    const few = (bought: number) => new Map([['ios', people(2, bought)]]);
    expect(deviationsWithinPlatforms(2, few(0), few(2))).toBeCloseTo(Math.sqrt(3), 10);
    const none = new Map([['ios', people(0, 0)]]);
    expect(deviationsWithinPlatforms(2, few(0), none)).toBe(0);
    expect(deviationsWithinPlatforms(2, none, few(2))).toBe(0);
    const mixed = (ios: number, android: number) =>
      new Map([
        ['ios', people(ios, ios * 0.3)],
        ['android', people(android, android * 0.05)],
      ]);
    expect(deviationsWithinPlatforms(2, mixed(300, 900), mixed(900, 300))).toBeCloseTo(0, 10);
    // Of platforms with one of the versions only nothing is known, nor of a step nobody comes through.
    const apart = [new Map([['ios', people(900, 60)]]), new Map([['web', people(900, 600)]])];
    expect(deviationsWithinPlatforms(2, apart[0]!, apart[1]!)).toBe(0);
    const nobody = new Map([['ios', people(900, 0)]]);
    expect(deviationsWithinPlatforms(2, nobody, nobody)).toBe(0);
    expect(versionFinding(versionsOf([BEFORE, WORSE]))).not.toBeNull();
    expect(versionFinding(versionsOf([BEFORE, WORSE], { platforms: new Map() }))).toBeNull();
    const platforms = new Map([
      ['2.3.1', apart[1]!],
      ['2.4.0', apart[0]!],
    ]);
    expect(versionFinding(versionsOf([BEFORE, WORSE], { platforms }))).toBeNull();
  });
});

describe('what is said of it', () => {
  const found = (reached: readonly Reached[], more: Partial<Versions> = {}) =>
    versionFinding(versionsOf(reached, more))!;

  test('its rate at the step, that of the version before, and the one that came back', () => {
    const firstSeenOn = new Map([['2.4.0', '2026-11-07']]);
    const one = found([BEFORE, WORSE, LATER], { firstSeenOn });
    expect(one).toMatchObject({
      title: '2.4.0 sells half as well',
      detail:
        '6.0 % bought at the paywall (4.7–7.6) against 12.7 % on 2.3.1 (10.8–14.9). 2.4.1: 11.7 %. 160 people still used 2.4.0 yesterday.',
      metric: { name: 'rate_from_previous_step', value: 0.06, unit: 'rate' },
      step: 3,
      comparison: {
        worse: { appVersion: '2.4.0', firstSeenOn: '2026-11-07', reachedBefore: 1_000, people: 60 },
        before: { appVersion: '2.3.1', firstSeenOn: null, rate: 0.127 },
        later: { appVersion: '2.4.1', rate: 0.117 },
        hasRecovered: true,
        peopleYesterday: 160,
      },
    });
    expect(one.severity).toBeUndefined();
    expect(one.metric.threshold).toBe(one.comparison!.before.rateLow);
  });

  test('without a later version, or with one that is not surely better', () => {
    expect(found([BEFORE, WORSE]).detail).toEndWith('. 160 people used 2.4.0 yesterday.');
    const better = found([BEFORE, WORSE, ['2.4.1', 2_000, 1_000, 70]]);
    expect(better.detail).toContain(' 2.4.1: 7.0 %, not surely better. ');
    expect(better.comparison).toMatchObject({ hasRecovered: false, later: { people: 70 } });
    // The first that came back, and of those that did not the newest with people enough.
    const two = found([BEFORE, WORSE, LATER, ['2.4.2', 2_000, 1_000, 90]]);
    expect(two.comparison?.later?.appVersion).toBe('2.4.1');
    const few = found([BEFORE, WORSE, ['2.4.1', 2_000, 1_000, 70], ['2.4.2', 80, 49, 9]]);
    expect(few.comparison?.later?.appVersion).toBe('2.4.1');
    const three = found([BEFORE, WORSE, ['2.4.1', 2_000, 1_000, 70], ['2.4.2', 2_000, 1_000, 71]]);
    expect(three.comparison?.later?.appVersion).toBe('2.4.2');
    const alone = found([BEFORE, WORSE, ['2.4.2', 80, 49, 9]]);
    expect(alone.comparison?.later).toBeNull();
  });

  test('of a step that is no sale, by the names of the steps', () => {
    const one = found([BEFORE, ['2.4.0', 2_000, 500, 60]]);
    expect(one.title).toBe('2.4.0 loses more people before “Paywall viewed”');
    expect(one.detail).toStartWith('25.0 % came from “App opened” to “Paywall viewed” (23.');
  });

  test('of a sale that no paywall comes before', () => {
    const steps = [STEPS[0]!, { event: 'trial_started', label: 'Trial' }, STEPS[2]!];
    const figures = [BEFORE, WORSE].map((one) => figuresOf(one, steps));
    const { detail } = versionFinding({ ...versionsOf([BEFORE, WORSE]), figures })!;
    expect(detail).toStartWith('6.0 % bought after “Trial” (');
  });

  test.each([
    [0, 'hardly sells'],
    [9, 'hardly sells'],
    [20, 'sells a tenth as well'],
    [40, 'sells a fifth as well'],
    [50, 'sells a quarter as well'],
    [66, 'sells a third as well'],
    [82, 'sells two fifths as well'],
    [100, 'sells half as well'],
    [132, 'sells two thirds as well'],
    [150, 'sells three quarters as well'],
  ])('%i of a thousand against 200: it %s', (bought, words) => {
    const reached = [
      ['1', 20_000, 10_000, 2_000],
      ['2.4.0', 20_000, 10_000, bought * 10],
    ] as const;
    expect(found(reached).title).toBe(`2.4.0 ${words}`);
  });

  test('is information only once a later one came back and few people are left', () => {
    const used = (people: number, all: number) => ({
      yesterday: { people: all, byVersion: new Map([['2.4.0', people]]) },
    });
    const severity = (reached: readonly Reached[], people: number, all = 0) =>
      found(reached, used(people, all)).severity;
    const recovered = [BEFORE, WORSE, LATER];
    expect(severity(recovered, 49)).toBe('info');
    expect(severity(recovered, 50)).toBeUndefined();
    // A twentieth of an app with more people.
    expect(severity(recovered, 99, 2_000)).toBe('info');
    expect(severity(recovered, 100, 2_000)).toBeUndefined();
    expect(severity([BEFORE, WORSE], 0)).toBeUndefined();
    expect(found(recovered, { yesterday: null }).severity).toBe('info');
  });
});
