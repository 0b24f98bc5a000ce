import { at, must } from '../../shared/assert.ts';
import { counted, percent } from '../../shared/text.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import type { Finding, VersionFigures, Versions } from './facts.ts';
import type { VersionComparison, VersionRate } from './model.ts';
import { findFall, rateAt, type VersionFall } from './versions.ts';

/** Share of yesterday's people. */
const USED_SHARE = 0.05;

const SALE = 'purchase_completed';
const PAYWALL = 'paywall_viewed';

const FRACTIONS = [
  [0, 'hardly sells'],
  [1 / 10, 'sells a tenth as well'],
  [1 / 5, 'sells a fifth as well'],
  [1 / 4, 'sells a quarter as well'],
  [1 / 3, 'sells a third as well'],
  [2 / 5, 'sells two fifths as well'],
  [1 / 2, 'sells half as well'],
  [2 / 3, 'sells two thirds as well'],
  [3 / 4, 'sells three quarters as well'],
] as const;

function howWell(ratio: number): string {
  const [, words] = FRACTIONS.reduce((nearest, one) =>
    Math.abs(one[0] - ratio) < Math.abs(nearest[0] - ratio) ? one : nearest,
  );
  return words;
}

const toRate = (
  figures: VersionFigures,
  place: number,
  firstSeenOn: Versions['firstSeenOn'],
): VersionRate => {
  const { rate, low, high, of } = rateAt(figures, place);
  return {
    appVersion: figures.appVersion,
    firstSeenOn: firstSeenOn.get(figures.appVersion) ?? null,
    reachedBefore: of,
    people: must(at(figures.steps, place).people, 'a version that is compared has figures'),
    rate,
    rateLow: low,
    rateHigh: high,
  };
};

function toComparison(fall: VersionFall, versions: Versions): VersionComparison {
  const { place, later, hasRecovered } = fall;
  const { firstSeenOn, yesterday } = versions;
  return {
    worse: toRate(fall.worse, place, firstSeenOn),
    before: toRate(fall.before, place, firstSeenOn),
    later: later && toRate(later, place, firstSeenOn),
    hasRecovered,
    peopleYesterday: yesterday?.byVersion.get(fall.worse.appVersion) ?? 0,
  };
}

/** "(4.1–8.9)" */
const interval = ({ rateLow, rateHigh }: VersionRate): string =>
  `(${(rateLow * 100).toFixed(1)}–${(rateHigh * 100).toFixed(1)})`;

function stepText({ place, worse }: VersionFall): {
  title: (ratio: number) => string;
  came: string;
} {
  const [step, previous] = [at(worse.steps, place), at(worse.steps, place - 1)];
  const { appVersion } = worse;
  if (step.event !== SALE) {
    return {
      title: () => `${appVersion} loses more people before “${step.label}”`,
      came: `came from “${previous.label}” to “${step.label}”`,
    };
  }
  const where = previous.event === PAYWALL ? 'at the paywall' : `after “${previous.label}”`;
  return { title: (ratio) => `${appVersion} ${howWell(ratio)}`, came: `bought ${where}` };
}

function laterText({ later, hasRecovered }: VersionComparison): string {
  if (!later) return '';
  const surely = hasRecovered ? '' : ', not surely better';
  return ` ${later.appVersion}: ${percent(later.rate)}${surely}.`;
}

function usedText({ worse, later, peopleYesterday }: VersionComparison): string {
  const used = later ? 'still used' : 'used';
  return ` ${counted(peopleYesterday, 'person', 'people')} ${used} ${worse.appVersion} yesterday.`;
}

/** A repaired version that hardly anybody uses any more is information. */
function isOver({ hasRecovered, peopleYesterday }: VersionComparison, { yesterday }: Versions) {
  const enough = Math.max(MINIMUM_PEOPLE, USED_SHARE * (yesterday?.people ?? 0));
  return hasRecovered && peopleYesterday < enough;
}

export function versionFinding(versions: Versions): Finding | null {
  const fall = findFall(versions);
  if (!fall) return null;
  const comparison = toComparison(fall, versions);
  const { worse, before } = comparison;
  const { title, came } = stepText(fall);
  return {
    ...(isOver(comparison, versions) && { severity: 'info' as const }),
    title: title(worse.rate / before.rate),
    detail: `${percent(worse.rate)} ${came} ${interval(worse)} against ${percent(before.rate)} on ${before.appVersion} ${interval(before)}.${laterText(comparison)}${usedText(comparison)}`,
    metric: {
      name: 'rate_from_previous_step',
      value: worse.rate,
      threshold: before.rateLow,
      unit: 'rate',
    },
    step: at(fall.worse.steps, fall.place).index,
    comparison,
  };
}
