import { at } from '../../../shared/assert.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import type { SurvivalPoint } from './model.ts';

const Z = 1.959963984540054;

/** From the first payment to the first gap; what still runs is followed until now. */
export type Life = { beganMs: number; days: number; ended: boolean };

type Day = { ended: number; followed: number };

function byDay(lives: readonly Life[]): Map<number, Day> {
  const days = new Map<number, Day>();
  for (const life of lives) {
    const day = days.get(life.days) ?? { ended: 0, followed: 0 };
    day.followed += 1;
    if (life.ended) day.ended += 1;
    days.set(life.days, day);
  }
  return days;
}

function toInterval(survival: number, greenwood: number) {
  if (survival <= 0 || survival >= 1) return { low: survival, high: survival };
  const log = Math.log(survival);
  const spread = (Z * Math.sqrt(greenwood)) / log;
  const bound = (sign: number) => Math.exp(-Math.exp(Math.log(-log) + sign * spread));
  return { low: bound(-1), high: bound(1) };
}

/** Kaplan and Meier, at each of `at` days, with the exponential Greenwood interval. */
export function survivalAt(
  lives: readonly Life[],
  days: readonly number[],
): (SurvivalPoint & { survival: number; low: number; high: number })[] {
  const found = byDay(lives);
  const ordered = [...found.keys()].toSorted((a, b) => a - b);
  let atRisk = lives.length;
  let survival = 1;
  let greenwood = 0;
  let ended = 0;
  let next = 0;
  return days.map((day) => {
    for (; next < ordered.length && at(ordered, next) <= day; next += 1) {
      const one = found.get(at(ordered, next)) ?? { ended: 0, followed: 0 };
      if (one.ended > 0) {
        survival *= 1 - one.ended / atRisk;
        greenwood += one.ended / (atRisk * (atRisk - one.ended));
        ended += one.ended;
      }
      atRisk -= one.followed;
    }
    return { days: day, atRisk, ended, survival, ...toInterval(survival, greenwood) };
  });
}

const WITHHELD = { survival: null, low: null, high: null };

/** As long as anybody is followed. */
export function survivalCurve(lives: readonly Life[], step: number): SurvivalPoint[] {
  const longest = lives.reduce((most, { days }) => Math.max(most, days), -1);
  if (longest < 0) return [];
  const days = Array.from({ length: Math.floor(longest / step) + 1 }, (_, index) => index * step);
  return survivalAt(lives, days).map((point) =>
    point.atRisk + point.ended < MINIMUM_PEOPLE || point.atRisk < MINIMUM_PEOPLE
      ? { ...point, ...WITHHELD }
      : point,
  );
}
