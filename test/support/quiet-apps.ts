import type { Recommendation } from '../../src/modules/insights/model.ts';
import type { Draw } from './draws.ts';

export const COUNTRIES = ['US', 'DE', 'BR'];
const RATES = [0.6, 0.7, 0.05];

/** Of those that are information; the others state what is so. */
const MAY_BE_WRONG = 'country_buys_but_does_not_convert';

/** Whether an app in which nothing happens is told something that it should not be told. */
export const isAlarm = ({ code, severity }: Pick<Recommendation, 'code' | 'severity'>): boolean =>
  severity !== 'info' || code === MAY_BE_WRONG;

/** People by country and step, who saw the paywall and finished only after it, units, refunds. */
export type QuietDay = {
  people: number[][];
  paywall: number;
  wall: number;
  units: number;
  refunds: number;
};

export const poisson = (draw: Draw, mean: number) => draw.successes(Math.ceil(mean * 50), 1 / 50);

/** A day on which nothing happens: more people at weekends, rates that differ by a tenth. */
export function quietDay(draw: Draw, index: number, newPeople: number): QuietDay {
  const weekend = index % 7 < 2 ? 1.3 : 1;
  const noise = () => 1 + 0.058 * draw.normal();
  const rates = RATES.map((rate) => Math.min(1, Math.max(0, rate * noise())));
  const people = COUNTRIES.map((_, country) => {
    let reached = poisson(draw, (newPeople * weekend) / (country + 2));
    return [reached, ...rates.map((rate) => (reached = draw.successes(reached, rate)))];
  });
  const paywall = people.reduce((sum, [, , viewers = 0]) => sum + viewers, 0);
  const units = poisson(draw, newPeople * 0.04 * weekend);
  return {
    people,
    paywall,
    wall: draw.successes(paywall, 0.3),
    units,
    refunds: draw.successes(units, 0.04),
  };
}

/** People at each step by version, on each of the days. */
export type VersionDay = ReadonlyMap<string, readonly number[]>;

/** Days between two releases. */
const [FEWEST_DAYS, MORE_DAYS] = [5, 24];
/** Of new people with the newest version; the others have the one before. */
const NEWEST_SHARE = 0.85;

/** People of the days by the version that they had, which changes nothing of what they do. */
export function versionDays(draw: Draw, days: readonly QuietDay[]): VersionDay[] {
  let release = 1;
  let nextAt = draw.uniform() * MORE_DAYS;
  return days.map(({ people }, index) => {
    if (index >= nextAt) {
      release += 1;
      nextAt = index + FEWEST_DAYS + draw.uniform() * MORE_DAYS;
    }
    // By how far they came: whoever came as far has any version.
    const stopped = people.map((reached) =>
      reached.map((at, step) => at - (reached[step + 1] ?? 0)),
    );
    const newest = stopped.map((counts) =>
      counts.map((count) => draw.successes(count, NEWEST_SHARE)),
    );
    const reachedBy = (of: (country: number, step: number) => number) =>
      (people[0] ?? []).map((_, step) =>
        stopped.reduce(
          (sum, counts, country) =>
            sum + counts.reduce((all, _count, at) => all + (at >= step ? of(country, at) : 0), 0),
          0,
        ),
      );
    return new Map([
      [`2.${release}`, reachedBy((country, at) => newest[country]![at]!)],
      [
        `2.${release - 1}`,
        reachedBy((country, at) => stopped[country]![at]! - newest[country]![at]!),
      ],
    ]);
  });
}

/** How busy an hour of the day is, against its mean. */
export const busyness = (hour: number): number =>
  Math.max(0.1, Math.sin(((hour % 24) / 24) * Math.PI) * 1.5);
