import { type Static, Type } from '@sinclair/typebox';
import { at } from '../../../shared/assert.ts';
import { Named } from '../../../shared/schema.ts';

export const METRICS = [
  'proceedsMinor',
  'customerSpendMinor',
  'unconvertedProceedsMinor',
  'downloads',
  'redownloads',
  'updates',
  'iapUnits',
  'subscriptionUnits',
  'trials',
  'otherUnits',
  'refunds',
] as const;
export type Metric = (typeof METRICS)[number];

const minor = () => Type.Integer({ description: 'Minor units' });
/** Reports hold whole units; the column allows hundredths. */
const units = () => Type.Number({ minimum: 0 });

export const METRIC_FIELDS = {
  proceedsMinor: minor(),
  customerSpendMinor: minor(),
  unconvertedProceedsMinor: minor(),
  downloads: units(),
  redownloads: units(),
  updates: units(),
  iapUnits: units(),
  subscriptionUnits: units(),
  trials: units(),
  otherUnits: units(),
  refunds: units(),
};
export const Metrics = Named('Metrics', METRIC_FIELDS);
export type Metrics = Static<typeof Metrics>;

const FURTHER = [
  /** Units sold for money, downloads included. */
  'paidUnits',
  'renewedSubscriptionUnits',
  'unsaidSubscriptionUnits',
] as const;
type Summed = Metric | (typeof FURTHER)[number];
const SUMMED: readonly Summed[] = [...METRICS, ...FURTHER];

const MONEY_METRICS = 3;
const HUNDREDTHS = 100;

/** In the order of SUMMED: money in minor units, the rest in hundredths. */
export type Sums = number[];
export type SumsByKey = Map<string, Sums>;

export const noSums = (): Sums => SUMMED.map(() => 0);
export const metricIndex = (name: Summed): number => SUMMED.indexOf(name);

export function addSums(into: Sums, more: Sums): void {
  for (let index = 0; index < SUMMED.length; index += 1) {
    into[index] = at(into, index) + at(more, index);
  }
}

export function ensureSums(byKey: SumsByKey, key: string): Sums {
  const present = byKey.get(key);
  if (present) return present;
  const sums = noSums();
  byKey.set(key, sums);
  return sums;
}

export function addUp(byKey: SumsByKey | undefined): Sums {
  const total = noSums();
  for (const sums of byKey?.values() ?? []) addSums(total, sums);
  return total;
}

export type PaidUnits = {
  paidUnits: number;
  refunds: number;
  /** Null when a report lacks the new or renewal flag. */
  newSubscriptionUnits: number | null;
};

export function paidUnits(sums: Sums): PaidUnits {
  const value = (name: Summed) => at(sums, metricIndex(name)) / HUNDREDTHS;
  const isSaid = value('unsaidSubscriptionUnits') === 0;
  return {
    paidUnits: value('paidUnits'),
    refunds: value('refunds'),
    newSubscriptionUnits: isSaid
      ? value('subscriptionUnits') - value('renewedSubscriptionUnits')
      : null,
  };
}

export function toMetrics(sums: Sums): Metrics {
  const value = (name: Metric) => {
    const index = metricIndex(name);
    return index < MONEY_METRICS ? at(sums, index) : at(sums, index) / HUNDREDTHS;
  };
  return {
    proceedsMinor: value('proceedsMinor'),
    customerSpendMinor: value('customerSpendMinor'),
    unconvertedProceedsMinor: value('unconvertedProceedsMinor'),
    downloads: value('downloads'),
    redownloads: value('redownloads'),
    updates: value('updates'),
    iapUnits: value('iapUnits'),
    subscriptionUnits: value('subscriptionUnits'),
    trials: value('trials'),
    otherUnits: value('otherUnits'),
    refunds: value('refunds'),
  };
}
