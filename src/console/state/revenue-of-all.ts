import type { Revenue } from './app-figures.ts';

export type RevenueSum = {
  currency: string;
  from: string;
  mrrMinor: number;
  startMinor: number;
  active: number;
  activeAtStart: number;
  /** Without a price or an exchange rate. */
  without: number;
  days: readonly string[];
  mrrByDay: readonly number[];
  activeByDay: readonly number[];
};

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

export const withoutAmount = ({ unconverted, withoutPrice }: Revenue): number =>
  withoutPrice + total(unconverted.map(({ active }) => active));

export function revenueOfAll(apps: readonly Revenue[]): RevenueSum | undefined {
  const [first] = apps;
  if (!first) return undefined;
  const { currency, from, byDay } = first;
  const sum = (of: (app: Revenue) => number) => total(apps.map(of));
  return {
    currency,
    from,
    mrrMinor: sum(({ mrr }) => mrr.end),
    startMinor: sum(({ mrr }) => mrr.start),
    active: sum(({ subscriptions }) => subscriptions.end),
    activeAtStart: sum(({ subscriptions }) => subscriptions.start),
    without: sum(withoutAmount),
    days: byDay.map(({ day }) => day),
    mrrByDay: byDay.map((_, at) => sum((app) => app.byDay[at]?.mrrMinor ?? 0)),
    activeByDay: byDay.map((_, at) => sum((app) => app.byDay[at]?.active ?? 0)),
  };
}

export const revenueChange = ({ mrrMinor, startMinor }: RevenueSum): number | null =>
  startMinor === 0 ? null : (mrrMinor - startMinor) / startMinor;
