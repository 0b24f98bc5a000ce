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

/** How busy an hour of the day is, against its mean. */
export const busyness = (hour: number): number =>
  Math.max(0.1, Math.sin(((hour % 24) / 24) * Math.PI) * 1.5);
