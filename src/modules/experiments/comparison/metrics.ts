import type { Measured } from '../../../query/experiment/model.ts';
import { at } from '../../../shared/assert.ts';
import { judge } from '../../../shared/statistics/verdict.ts';
import { rateWithInterval } from '../../../shared/statistics/rates.ts';
import type { Measurement, Metric } from '../measurement.model.ts';
import type { Difference, MeasuredMetric } from './answer.model.ts';
import * as sequence from './sequence.ts';

type MeasuredArm = Measured['arms'][number];
type AnyMetric = Pick<Metric, 'id' | 'name' | 'role' | 'better'> & {
  kind: MeasuredMetric['kind'];
};

/** Decides every experiment. */
const CONVERSION: AnyMetric = {
  id: 'conversion',
  name: 'Conversion',
  kind: 'funnel',
  role: 'deciding',
  better: 'higher',
};

type Figures = { total: number; did: number; estimate: sequence.Estimate };

const sumsOf = ({ people, revenue: { sum, squares } }: MeasuredArm): sequence.Sums => ({
  people,
  sum,
  squares,
});

function sumsOfAll(arms: readonly MeasuredArm[]): sequence.Sums {
  const all = { people: 0, sum: 0, squares: 0 };
  for (const { people, sum, squares } of arms.map(sumsOf)) {
    all.people += people;
    all.sum += sum;
    all.squares += squares;
  }
  return all;
}

type Counted = { arm: MeasuredArm; all: sequence.Sums };

function armFigures({ arm, all }: Counted, kind: AnyMetric['kind'], eventIndex: number): Figures {
  const { people, converted, events, trials, revenue } = arm;
  if (kind === 'revenue') {
    const { sum, payers } = revenue;
    return { total: sum, did: payers, estimate: sequence.meanEstimate(sumsOf(arm), all) };
  }
  const did = { funnel: () => converted, event: () => at(events, eventIndex), trial: () => trials };
  const total = did[kind]();
  return { total, did: total, estimate: sequence.rateEstimate(total, people) };
}

const WITHHELD = { total: null, mean: null, low: null, high: null } as const;

function toInterval(kind: AnyMetric['kind'], total: number, people: number) {
  if (kind === 'revenue') return { low: null, high: null };
  const { rateLow, rateHigh } = rateWithInterval(total, people);
  return { low: rateLow, high: rateHigh };
}

const UNKNOWN = {
  difference: null,
  low: null,
  high: null,
  relative: null,
  verdict: 'not_decided',
  morePeople: null,
} as const;

type Pair = { control: sequence.Estimate; arm: sequence.Estimate; alpha: number; expected: number };

/** Until zero or the margin is outside of the interval. */
function missingPeople({ control, arm, alpha }: Pair, margin: number): number | null {
  const distance = Math.abs(arm.mean - control.mean);
  const targets = [distance, margin - distance].filter((target) => target > 0);
  const needed = targets.flatMap(
    (target) => sequence.peopleUntil(control, arm, alpha, target) ?? [],
  );
  if (needed.length === 0) return null;
  return Math.max(1, Math.min(...needed) - control.people - arm.people);
}

function missingForConversions({ control, arm, expected }: Pair): number {
  if (expected >= sequence.MINIMUM_CONVERSIONS) return 0;
  const people = control.people + arm.people;
  return Math.ceil((people * sequence.MINIMUM_CONVERSIONS) / Math.max(1, expected)) - people;
}

/** The margin is a share of the control's figure. */
function compare(
  armId: string,
  pair: Pair,
  { better, margin }: { better: AnyMetric['better']; margin: number },
): Difference {
  const { control, arm, alpha } = pair;
  const found = sequence.difference(control, arm, alpha);
  // No payments, no spread.
  if (control.variance + arm.variance === 0) return { armId, ...UNKNOWN };
  const relative = control.mean > 0 ? found.difference / control.mean : null;
  const missing = missingForConversions(pair);
  if (missing > 0) {
    return { armId, ...found, relative, verdict: 'not_decided', morePeople: missing };
  }
  const verdict = judgeMetric(found, { better, within: margin * control.mean });
  const isOpen = verdict === 'not_decided';
  const morePeople = isOpen ? missingPeople(pair, margin * control.mean) : null;
  return { armId, ...found, relative, verdict, morePeople };
}

function judgeMetric(
  { low, high }: { low: number; high: number },
  { better, within }: { better: AnyMetric['better']; within: number },
): Difference['verdict'] {
  if (low > -within && high < within) return 'no_difference';
  if (low > 0) return better === 'higher' ? 'better' : 'worse';
  if (high < 0) return better === 'higher' ? 'worse' : 'better';
  return 'not_decided';
}

/**
 * α = 5 % ÷ ((arms − 1) × deciding metrics). Nothing under fifty people an arm, no verdict under
 * twenty conversions each.
 */
export function measuredMetrics(
  armIds: readonly string[],
  { metrics: chosen, margin }: Measurement,
  measured: Measured,
): MeasuredMetric[] {
  const metrics: AnyMetric[] = [CONVERSION, ...chosen];
  const nobody = (armId: string): MeasuredArm => ({
    armId,
    people: 0,
    converted: 0,
    events: chosen.map(() => 0),
    trials: 0,
    revenue: { payers: 0, sum: 0, squares: 0, capped: 0 },
  });
  const byId = new Map(measured.arms.map((arm) => [arm.armId, arm]));
  const all = sumsOfAll(measured.arms);
  const figures = armIds.map((id) => {
    const arm = byId.get(id) ?? nobody(id);
    const ofArm = metrics.map(({ kind }, index) => {
      const before = metrics.slice(0, index).filter((metric) => metric.kind === 'event').length;
      return armFigures({ arm, all }, kind, before);
    });
    return { armId: id, people: arm.people, metrics: ofArm };
  });
  const isReady = ({ people }: { people: number }) => judge(people) === 'ready';
  return metrics.map(({ id, name, kind, role, better }, index) => {
    const alike = metrics.filter((metric) => metric.role === role).length;
    const alpha = sequence.intervalAlpha({ arms: armIds.length, metrics: alike });
    const [control, ...others] = figures.map((arm) => ({ ...arm, ...at(arm.metrics, index) }));
    return {
      ...{ id, name, kind, role, better, alpha },
      arms: figures.map((arm) => {
        const { total, estimate } = at(arm.metrics, index);
        const { armId, people } = arm;
        if (!isReady(arm)) return { armId, people, ...WITHHELD };
        return { armId, people, total, mean: estimate.mean, ...toInterval(kind, total, people) };
      }),
      differences: others.map((arm) => {
        if (!control || !isReady(control) || !isReady(arm)) return { armId: arm.armId, ...UNKNOWN };
        const expected = sequence.expectedConversions(control, arm);
        const pair = { control: control.estimate, arm: arm.estimate, alpha, expected };
        return compare(arm.armId, pair, { better, margin });
      }),
    };
  });
}
