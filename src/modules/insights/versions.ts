import { at, must } from '../../shared/assert.ts';
import { judge } from '../../shared/statistics/verdict.ts';
import type { PeopleByPlatform, VersionFigures, Versions } from './facts.ts';
import { DEVIATIONS, hasFallen, shareOfStep } from './falls.ts';

export type VersionFall = {
  place: number;
  worse: VersionFigures;
  before: VersionFigures;
  /** The newest with enough people when absent. */
  later: VersionFigures | null;
  hasRecovered: boolean;
};

type Pair = Pick<VersionFall, 'place' | 'worse' | 'before'>;

/** Versions are of different days. */
const LEAST_FALL_OF_VERSION = 0.25;

const canCompare = ({ steps }: VersionFigures, place: number) =>
  judge(steps[place - 1]?.people ?? 0) === 'ready';

export function rateAt(figures: VersionFigures, place: number) {
  const share = shareOfStep(figures, place);
  const known = (value: number | null) => must(value, 'fifty people came to the step before');
  return { rate: known(share.rate), low: known(share.low), high: known(share.high), of: share.of };
}

/** Where fifty people came to the step. */
function comparablePairs(ready: readonly VersionFigures[]): Pair[] {
  return ready.slice(1).flatMap((worse, index) => {
    const before = at(ready, index);
    return worse.steps.flatMap((_, place) => {
      const isComparable = canCompare(worse, place) && canCompare(before, place);
      return isComparable ? [{ place, worse, before }] : [];
    });
  });
}

/** The tail of the normal distribution, divided by their number. */
const deviationsNeeded = (comparisons: number): number =>
  Math.sqrt(DEVIATIONS ** 2 + 2 * Math.log(comparisons));

function findRecovery({ place, worse }: Pair, ready: readonly VersionFigures[]) {
  const newer = ready.slice(ready.indexOf(worse) + 1).filter((one) => canCompare(one, place));
  const { high } = rateAt(worse, place);
  const recovered = newer.find((one) => rateAt(one, place).low > high);
  return { later: recovered ?? newer.at(-1) ?? null, hasRecovered: recovered !== undefined };
}

const toRatio = ({ place, worse, before }: Pair) =>
  rateAt(worse, place).rate / rateAt(before, place).rate;

export function findFalls(figures: readonly VersionFigures[]): VersionFall[] {
  const ready = figures.filter(({ verdict }) => verdict === 'ready');
  const pairs = comparablePairs(ready);
  const needed = deviationsNeeded(pairs.length);
  return pairs
    .filter(({ place, worse, before }) =>
      hasFallen(rateAt(worse, place), rateAt(before, place), {
        least: LEAST_FALL_OF_VERSION,
        deviations: needed,
      }),
    )
    .map((pair) => ({ ...pair, ...findRecovery(pair, ready) }))
    .toSorted(
      (one, other) =>
        Number(one.hasRecovered) - Number(other.hasRecovered) ||
        ready.indexOf(other.worse) - ready.indexOf(one.worse) ||
        toRatio(one) - toRatio(other),
    );
}

/** Mantel and Haenszel: another mix of platforms is no fall. */
export function deviationsWithinPlatforms(
  place: number,
  worse: PeopleByPlatform,
  before: PeopleByPlatform,
): number {
  let lost = 0;
  let variance = 0;
  for (const [platform, now] of worse) {
    const was = before.get(platform);
    const [of, through] = [at(now, place - 1), at(now, place)];
    if (!was || of * at(was, place - 1) === 0) continue;
    const [ofBefore, throughBefore] = [at(was, place - 1), at(was, place)];
    const all = of + ofBefore;
    const share = (through + throughBefore) / all;
    lost += of * share - through;
    variance += (of * ofBefore * share * (1 - share)) / (all - 1);
  }
  return variance === 0 ? 0 : lost / Math.sqrt(variance);
}

/** The most important fall that holds within platforms too. */
export function findFall({ figures, platforms }: Versions): VersionFall | null {
  const found = findFalls(figures).find(({ place, worse, before }) => {
    const now = platforms.get(worse.appVersion);
    const was = platforms.get(before.appVersion);
    return now && was && deviationsWithinPlatforms(place, now, was) >= DEVIATIONS;
  });
  return found ?? null;
}
