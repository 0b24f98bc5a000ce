import { wilson } from '../../../shared/statistics/rates.ts';
import { at } from '../../../shared/assert.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { lastDay } from '../revenue/answer.ts';
import { dayIn } from '../revenue/window.ts';
import type { Ledger } from './ledger.ts';
import { FEWEST_PAYERS, meanInterval, type Moments } from './mean-interval.ts';
import type { AccountedRevenue, CohortCell, PooledCohorts, RevenueCohort } from './model.ts';
import type { Cells, Counted } from './tally.ts';
import type { CohortWindow } from './window.ts';

type Sums = Moments & { payers: number; begun: number; active: number };

const isEnough = (people: number): boolean => people >= MINIMUM_PEOPLE;

function toShare(part: number, whole: number) {
  const interval = isEnough(whole) ? wilson(part, whole) : null;
  if (!interval) return { share: null, low: null, high: null };
  return { share: part / whole, ...interval };
}

const NO_MEAN = { mean: null, low: null, high: null };

function toMean(sums: Sums, people: number) {
  if (!isEnough(people)) return NO_MEAN;
  const mean = sums.sum / people;
  const interval = sums.payers < FEWEST_PAYERS ? null : meanInterval({ ...sums, people });
  return { mean, low: interval?.low ?? null, high: interval?.high ?? null };
}

/** Counts alone under fifty people. */
export function toCell(sums: Sums): CohortCell {
  const { people, payers, begun, active } = sums;
  const isReady = isEnough(people);
  const person = toMean(sums, people);
  const payer = isReady ? toMean(sums, payers) : NO_MEAN;
  const paying = toShare(payers, people);
  const lasting = toShare(active, begun);
  return {
    netMinor: isReady ? sums.sum : null,
    perPersonMinor: person.mean,
    perPersonLow: person.low,
    perPersonHigh: person.high,
    payers,
    payingShare: paying.share,
    payingShareLow: paying.low,
    payingShareHigh: paying.high,
    perPayerMinor: payer.mean,
    perPayerLow: payer.low,
    perPayerHigh: payer.high,
    subscriptions: {
      begun,
      active,
      share: lasting.share,
      shareLow: lasting.low,
      shareHigh: lasting.high,
    },
  };
}

const NOTHING: Sums = {
  ...{ people: 0, sum: 0, squares: 0, cubes: 0, payers: 0, begun: 0, active: 0 },
};

function sumsAt(cells: Cells, people: number, cell: number): Sums {
  return {
    people,
    sum: at(cells.sum, cell),
    squares: at(cells.squares, cell),
    cubes: at(cells.cubes, cell),
    payers: at(cells.payers, cell),
    begun: at(cells.begun, cell),
    active: at(cells.active, cell),
  };
}

const added = (a: Sums, b: Sums): Sums => ({
  people: a.people + b.people,
  sum: a.sum + b.sum,
  squares: a.squares + b.squares,
  cubes: a.cubes + b.cubes,
  payers: a.payers + b.payers,
  begun: a.begun + b.begun,
  active: a.active + b.active,
});

export function toCohorts(
  cells: Cells,
  sizes: readonly number[],
  window: CohortWindow,
): RevenueCohort[] {
  const { boundariesMs, finished, timezone, nowMs } = window;
  return sizes.map((people, cohort) => ({
    from: dayIn(at(boundariesMs, cohort), timezone),
    to: lastDay(at(boundariesMs, cohort + 1), timezone),
    isComplete: at(boundariesMs, cohort + 1) <= nowMs,
    people,
    netMinor: isEnough(people) ? at(cells.net, cohort) : null,
    periods: Array.from({ length: cells.intervals - cohort }, (_, period) =>
      cohort + period < finished
        ? toCell(sumsAt(cells, people, cohort * cells.intervals + period))
        : null,
    ),
  }));
}

/** The cohorts that finished a period, as if they were one. */
export function toPooled(
  cells: Cells,
  sizes: readonly number[],
  { finished }: CohortWindow,
): PooledCohorts {
  const periods = Array.from({ length: cells.intervals }, (_, period) => {
    const over = sizes.flatMap((people, cohort) =>
      cohort + period < finished ? [sumsAt(cells, people, cohort * cells.intervals + period)] : [],
    );
    return over.length === 0 ? null : toCell(over.reduce(added, NOTHING));
  });
  return { people: sizes.reduce((sum, people) => sum + people, 0), periods };
}

export function toAccounted({ money }: Counted, ledger: Ledger): AccountedRevenue {
  const { purchases, net, nobody } = ledger;
  return {
    totalMinor: net,
    cohortsMinor: money.cohorts,
    earlierMinor: money.earlier,
    laterMinor: money.later,
    beforeMinor: money.before,
    neverMinor: money.never,
    nobody: {
      purchases: nobody.purchases,
      netMinor: nobody.net,
      purchasesShare: purchases === 0 ? null : nobody.purchases / purchases,
      netShare: net === 0 ? null : nobody.net / net,
    },
  };
}
