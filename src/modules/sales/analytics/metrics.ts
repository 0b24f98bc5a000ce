import { type Static, Type } from '@sinclair/typebox';

/** The metric set M of the contract, in the order in which partial results keep it. */
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
/** Reports hold whole units; the column itself allows hundredths. */
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
export const Metrics = Type.Object(METRIC_FIELDS);
export type Metrics = Static<typeof Metrics>;

/** Integers in the order of METRICS: money in minor units, everything else in hundredths. */
export type Sums = number[];

const MONEY_METRICS = 3;
const HUNDREDTHS = 100;

export const noSums = (): Sums => METRICS.map(() => 0);

export function addSums(into: Sums, more: readonly number[]): void {
  for (let index = 0; index < METRICS.length; index += 1) {
    into[index] = (into[index] ?? 0) + (more[index] ?? 0);
  }
}

/** The sums as the contract's fields. */
export function toMetrics(sums: readonly number[]): Metrics {
  const value = (name: Metric) => {
    const index = METRICS.indexOf(name);
    const sum = sums[index] ?? 0;
    return index < MONEY_METRICS ? sum : sum / HUNDREDTHS;
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
