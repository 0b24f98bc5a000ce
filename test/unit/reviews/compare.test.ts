import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  againstBefore,
  countOf,
  LEAST_REVIEWS,
  LEVEL,
  meanOf,
  permutationP,
  type Ratings,
} from '../../../src/modules/reviews/compare.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';

const toRatings = (stars: readonly number[]): number[] =>
  [1, 2, 3, 4, 5].map((star) => stars.filter((one) => one === star).length);

/** Every way to choose as many as the first group has, in plain loops. */
function plainP(one: readonly number[], other: readonly number[]): number {
  const all = [...one, ...other];
  const expected = (one.length * all.reduce((sum, star) => sum + star, 0)) / all.length;
  const distance = Math.abs(one.reduce((sum, star) => sum + star, 0) - expected);
  let [ways, far] = [0, 0];
  for (let chosen = 0; chosen < 2 ** all.length; chosen += 1) {
    let [count, sum] = [0, 0];
    for (const [index, star] of all.entries()) {
      if ((chosen >> index) % 2 === 1) [count, sum] = [count + 1, sum + star];
    }
    if (count !== one.length) continue;
    ways += 1;
    if (Math.abs(sum - expected) >= distance - 1e-9) far += 1;
  }
  return far / ways;
}

const stars = (most: number) =>
  fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: most });

describe('the test by permutation', () => {
  test('is that of every way to draw the ratings', () => {
    fc.assert(
      fc.property(stars(6), stars(7), (one, other) => {
        const p = permutationP(toRatings(one), toRatings(other));
        expect(p).toBeCloseTo(plainP(one, other), 9);
        expect(permutationP(toRatings(other), toRatings(one))).toBeCloseTo(p, 9);
      }),
      { numRuns: 200, seed: 35 },
    );
  });

  test('goes on evenly where it stops being exact', () => {
    const drawn = (count: number): Ratings => [
      count * 0.1,
      count * 0.1,
      0,
      count * 0.2,
      count * 0.6,
    ];
    const better: Ratings = [20, 20, 20, 100, 340];
    const [exact, normal] = [permutationP(drawn(40), better), permutationP(drawn(50), better)];
    expect(normal / exact).toBeGreaterThan(0.4);
    expect(normal / exact).toBeLessThan(1.1);
  });

  test('knows no difference of ratings that are all the same', () => {
    expect(permutationP([0, 0, 0, 0, 30], [0, 0, 0, 0, 90])).toBe(1);
    expect(permutationP([0, 0, 0, 0, 100], [0, 0, 0, 0, 900])).toBe(1);
    expect(permutationP([0, 0, 0, 0, 5_000], [0, 0, 0, 0, 5_000])).toBe(1);
  });

  test('finds a version that is worse', () => {
    const [now, before]: Ratings[] = [
      [60, 20, 30, 44, 60],
      [20, 15, 25, 80, 170],
    ];
    const change = againstBefore(
      [
        { appVersion: '2.0', ratings: before! },
        { appVersion: '2.1', ratings: now! },
      ],
      1,
    );
    expect(meanOf(now!)!.toFixed(1)).toBe('3.1');
    expect(change).toMatchObject({ appVersion: '2.0', isBeyondChance: true });
  });

  test('passes versions over that have too few, and compares none of them', () => {
    const version = (appVersion: string, ratings: Ratings) => ({ appVersion, ratings });
    const all = [
      version('1.0', [0, 0, 0, 10, 20]),
      version('1.1', [0, 0, 0, 0, LEAST_REVIEWS - 1]),
      version('1.2', [0, 0, 0, 15, 15]),
    ];
    expect(againstBefore(all, 0)).toBeNull();
    expect(againstBefore(all, 1)).toBeNull();
    expect(againstBefore(all, 2)?.appVersion).toBe('1.0');
  });
});

/** Shares of one to five stars, from an app that people love to one that divides them. */
const APPS: readonly Ratings[] = [
  [0.02, 0.01, 0.02, 0.1, 0.85],
  [0.05, 0.03, 0.07, 0.2, 0.65],
  [0.25, 0.08, 0.1, 0.17, 0.4],
  [0.45, 0.02, 0.02, 0.01, 0.5],
];
const VERSIONS = isFullRun ? 2_000 : 60;
/** Looks while the reviews of a version come in, one for each few of them. */
const EVERY = isFullRun ? 5 : 10;

function drawer(seed: number, shares: Ratings) {
  const uniform = randomFrom(seed);
  return (into: number[]) => {
    const drawn = uniform();
    let sum = 0;
    let star = 0;
    while (star < 4 && drawn >= sum + shares[star]!) {
      sum += shares[star]!;
      star += 1;
    }
    into[star]! += 1;
  };
}

describe('versions that are as good as the one before', () => {
  test.each(APPS.map((shares, index) => [index, shares] as const))(
    'app %p is hardly ever told another thing, over all looks at a version',
    (index, shares) => {
      let told = 0;
      for (let version = 0; version < VERSIONS; version += 1) {
        const draw = drawer(35_000 + index * 10_000 + version, shares);
        const [before, now] = [
          [0, 0, 0, 0, 0],
          [0, 0, 0, 0, 0],
        ];
        const [earlier, later] = [40 + ((version * 37) % 300), 40 + ((version * 53) % 250)];
        for (let review = 0; review < earlier; review += 1) draw(before);
        let isTold = false;
        for (let review = 0; review < later && !isTold; review += 1) {
          draw(now);
          const looks = countOf(now) >= LEAST_REVIEWS && review % EVERY === 0;
          isTold = looks && permutationP(now, before) < LEVEL;
        }
        if (isTold) told += 1;
      }
      if (isFullRun) console.info(`app ${index}: told of ${told} in ${VERSIONS} versions`);
      expect(told / VERSIONS).toBeLessThan(isFullRun ? 0.01 : 0.03);
    },
    120_000,
  );

  test('one star less is found in most', () => {
    let found = 0;
    for (let version = 0; version < 100; version += 1) {
      const [before, now] = [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
      ];
      const good = drawer(90_000 + version, [0.05, 0.05, 0.1, 0.25, 0.55]);
      const bad = drawer(91_000 + version, [0.28, 0.1, 0.15, 0.2, 0.27]);
      for (let review = 0; review < 100; review += 1) good(before);
      for (let review = 0; review < 100; review += 1) bad(now);
      if (permutationP(now, before) < LEVEL) found += 1;
    }
    expect(found).toBeGreaterThan(85);
  });
});
