import { expect, test } from 'bun:test';
import {
  type FigurePoint,
  judgeChange,
  pointsNeeded,
  type Scale,
} from '../../../src/modules/watches/rules/change.ts';
import { type Draw, drawsFrom } from '../../support/draws.ts';
import { poisson } from '../../support/quiet-apps.ts';
import { isFullRun } from '../../support/random.ts';

/**
 * Apps in which nothing happens, watched for a change: more people at weekends, days that differ by
 * a tenth, growth or shrinking of up to a tenth a week. Whoever is told of a change was told wrong.
 */
const APPS = isFullRun ? 2_000 : 60;
const LOOKS = 30;
const LAG = 7;
const DAYS = pointsNeeded(LAG) + LOOKS;

const FIGURES = {
  people: 'count',
  events: 'count',
  conversion: 'share',
  value: 'value',
  sum: 'sum',
} as const satisfies Record<string, Scale>;
type Name = keyof typeof FIGURES;
const NAMES: readonly Name[] = ['people', 'events', 'conversion', 'value', 'sum'];

type Day = { people: number } & Record<Name, number | null>;

/** Of many, the normal distribution draws the same and sooner. */
const arrivals = (draw: Draw, mean: number) =>
  mean < 40 ? poisson(draw, mean) : Math.max(0, Math.round(mean + Math.sqrt(mean) * draw.normal()));

function quietDays(draw: Draw, size: number): Day[] {
  const growth = (0.1 * (2 * draw.uniform() - 1)) / 7;
  const noise = () => 1 + 0.058 * draw.normal();
  return Array.from({ length: DAYS }, (_, day) => {
    const weekend = day % 7 < 2 ? 1.3 : 1;
    const grown = Math.exp(growth * (day - DAYS / 2));
    const people = arrivals(draw, size * weekend * grown * noise());
    const converted = draw.successes(people, Math.min(1, 0.1 * noise()));
    // Some do far more than others.
    const events = [1, 2, 6].reduce(
      (sum, each) => sum + each * arrivals(draw, people / (each + 2)),
      0,
    );
    const mean = 10 * noise() * Math.exp((0.8 * draw.normal()) / Math.sqrt(Math.max(1, people)));
    const isDrawn = people >= 50;
    return {
      ...{ people, events },
      conversion: isDrawn ? converted / people : null,
      value: isDrawn ? mean : null,
      sum: people * mean,
    };
  });
}

const isChange = (days: readonly Day[], look: number, name: Name): boolean => {
  const points = days.slice(look, look + pointsNeeded(LAG)).map(
    (day, index): FigurePoint => ({
      ...{ fromMs: index, toMs: index + 1, value: day[name], people: day.people },
    }),
  );
  const { verdict } = judgeChange(points, { scale: FIGURES[name], lag: LAG });
  return verdict === 'above' || verdict === 'below';
};

/** One in a hundred in a month; and what chance adds to that with so few of them. */
const MOST = 0.01 + (isFullRun ? 0 : 4 * Math.sqrt(0.0099 / APPS));

test.each([[60], [100], [300], [1_000], [10_000]])(
  'watches of apps with %i people a day in which nothing happens are told of no change',
  (size) => {
    const draw = drawsFrom(1060 + size);
    const told = new Map<Name, number>();
    for (let app = 0; app < APPS; app += 1) {
      const days = quietDays(draw, size);
      for (const name of NAMES) {
        const looks = Array.from({ length: LOOKS }, (_, look) => look);
        if (!looks.some((look) => isChange(days, look, name))) continue;
        told.set(name, (told.get(name) ?? 0) + 1 / APPS);
      }
    }
    if (isFullRun) console.log(size, Object.fromEntries(told));
    for (const [name, share] of told)
      expect({ name, isRare: share <= MOST }).toEqual({ name, isRare: true });
  },
  1_200_000,
);

test.each([[0], [10], [30], [49]])('those of apps with %i people a day of none at all', (size) => {
  const draw = drawsFrom(size);
  for (let app = 0; app < 30; app += 1) {
    const days = Array.from({ length: pointsNeeded(LAG) }, (_, day): FigurePoint => {
      const people = Math.min(49, poisson(draw, size));
      return { fromMs: day, toMs: day + 1, value: people, people };
    });
    const { verdict } = judgeChange(days, { scale: 'count', lag: LAG });
    expect(['too_few_people', 'too_short_a_past']).toContain(verdict);
  }
});
