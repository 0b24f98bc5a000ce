import { money, rate, signedMoney, signedPoints, UNKNOWN, wholeUnits } from '../../format.ts';
import type { Format } from '../../parts/chart/index.ts';
import type { Report } from './queries.ts';

export type Measured = NonNullable<Report['measured']>;
export type Metric = Measured['metrics'][number];
export type Difference = Metric['differences'][number];

export const POINTS = ' points';

export const decidingOf = (measured: Measured): Metric | undefined =>
  measured.metrics.find(({ role }) => role === 'deciding') ?? measured.metrics[0];

/** A difference smaller than this does not matter. */
export function marginOf({ arms }: Metric, { margin, controlArmId }: Measured): number {
  const control = arms.find(({ armId }) => armId === controlArmId);
  return margin * (control?.mean ?? 0);
}

export function formatsOf({ kind }: Metric, { revenue }: Measured) {
  if (kind !== 'revenue') {
    return {
      show: rate,
      change: (value: number) => `${signedPoints(value)}${POINTS}`,
      plain: (value: number | null) => value,
      shares: { show: (value: number) => rate(value) } satisfies Format,
      differences: { show: signedPoints } satisfies Format,
    };
  }
  const currency = revenue?.currency ?? 'USD';
  const show = (value: number | null) =>
    value === null ? UNKNOWN : money(Math.round(value), currency);
  const change = (value: number) => signedMoney(Math.round(value), currency);
  return {
    show,
    change,
    plain: (value: number | null) => (value === null ? null : wholeUnits(value, currency)),
    shares: { show } satisfies Format,
    differences: { show: change } satisfies Format,
  };
}
