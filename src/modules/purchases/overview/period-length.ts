import { at, must } from '../../../shared/assert.ts';
import type { Discount } from '../../../shared/purchase.ts';
import { DAY_MS } from '../../../shared/time.ts';

const MONTH_DAYS = 365.25 / 12;

export const DURATION_NAMES = [
  '1 day',
  '3 days',
  '1 week',
  '2 weeks',
  '4 weeks',
  '1 month',
  '2 months',
  '3 months',
  '6 months',
  '1 year',
] as const;
export type DurationName = (typeof DURATION_NAMES)[number];

export type PeriodLength = { name: DurationName; days: number; perMonth: number };

/** 30 for a day, 4 a week, 1 a month and four weeks, 1/12 a year. */
const PERIOD_LENGTHS: readonly PeriodLength[] = [
  { name: '1 day', days: 1, perMonth: 30 },
  { name: '3 days', days: 3, perMonth: 10 },
  { name: '1 week', days: 7, perMonth: 4 },
  { name: '2 weeks', days: 14, perMonth: 2 },
  { name: '4 weeks', days: 28, perMonth: 1 },
  { name: '1 month', days: MONTH_DAYS, perMonth: 1 },
  { name: '2 months', days: 2 * MONTH_DAYS, perMonth: 1 / 2 },
  { name: '3 months', days: 3 * MONTH_DAYS, perMonth: 1 / 3 },
  { name: '6 months', days: 6 * MONTH_DAYS, perMonth: 1 / 6 },
  { name: '1 year', days: 12 * MONTH_DAYS, perMonth: 1 / 12 },
];

const BY_NAME = new Map(PERIOD_LENGTHS.map((length) => [length.name, length]));

export function lengthNamed(name: DurationName): PeriodLength {
  return must(BY_NAME.get(name), 'every name has a length');
}

/** Nearest length sold by the store; the shorter at a tie. */
export function lengthOfDays(days: number): PeriodLength {
  const distance = ({ days: own }: PeriodLength) => Math.abs(own - days);
  return PERIOD_LENGTHS.reduce<PeriodLength>(
    (nearest, length) => (distance(length) < distance(nearest) ? length : nearest),
    at(PERIOD_LENGTHS, 0),
  );
}

const ISO_DURATION = /^P(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,4})D)?$/;

export function daysOfDuration(text: string): number | null {
  const parts = ISO_DURATION.exec(text);
  if (!parts || text === 'P') return null;
  const total = [12 * MONTH_DAYS, MONTH_DAYS, 7, 1].reduce(
    (sum, days, index) => sum + days * Number(parts[index + 1] ?? 0),
    0,
  );
  return total > 0 ? total : null;
}

const REPORTED = /^(\d{1,3}) (Day|Week|Month|Year)s?$/;
const UNIT_DAYS: Readonly<Record<string, number>> = {
  Day: 1,
  Week: 7,
  Month: MONTH_DAYS,
  Year: 12 * MONTH_DAYS,
};

/** `1 Month`, `7 Days`; else null. */
export function lengthOfReport(text: string | null): PeriodLength | null {
  const [, count, unit] = REPORTED.exec(text ?? '') ?? [];
  const days = Number(count) * (UNIT_DAYS[unit ?? ''] ?? 0);
  return days > 0 ? lengthOfDays(days) : null;
}

export const LENGTH_SOURCES = ['product', 'monthly', 'offer'] as const;
/** `month` for monthly commitments; the offer itself for pay-up-front offers. */
export type LengthSource = (typeof LENGTH_SOURCES)[number];

/** The offer's, the plan's, else to the first signed expiry. */
export function lengthOfPeriod(period: {
  from: number;
  expiresAt: number;
  firstExpiresAt: number | null;
  discount: Discount;
  offerPeriod: string | null;
  planPeriod?: string | null;
  billedMonthly: boolean;
}): PeriodLength & { source: LengthSource } {
  const { discount, offerPeriod, planPeriod = null, expiresAt, from, billedMonthly } = period;
  const named = discount === 'pay_up_front' ? offerPeriod : planPeriod;
  const days = named === null ? null : daysOfDuration(named);
  if (days !== null) return { ...lengthOfDays(days), source: 'offer' };
  const end = Math.min(expiresAt, period.firstExpiresAt ?? expiresAt);
  const length = lengthOfDays((end - from) / DAY_MS);
  return { ...length, source: billedMonthly ? 'monthly' : 'product' };
}

export type LengthCount = {
  productId: string;
  billedMonthly: boolean;
  duration: DurationName;
  periods: number;
};

export function commonLengths(
  counts: readonly LengthCount[],
): (productId: string, billedMonthly: boolean) => PeriodLength | null {
  const best = new Map<string, LengthCount>();
  const longer = (one: LengthCount, other: LengthCount) =>
    DURATION_NAMES.indexOf(one.duration) > DURATION_NAMES.indexOf(other.duration);
  for (const count of counts) {
    const key = `${count.billedMonthly} ${count.productId}`;
    const known = best.get(key);
    const isMore = !known || count.periods > known.periods;
    if (isMore || (count.periods === known.periods && longer(count, known))) best.set(key, count);
  }
  return (productId, billedMonthly) => {
    const count = best.get(`${billedMonthly} ${productId}`);
    return count ? lengthNamed(count.duration) : null;
  };
}
