import { at, must } from '../../../shared/assert.ts';
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

/**
 * MRR: the customer's price × months⁻¹: 30 for a day, 10 for three days, 4 a week, 2 for two weeks,
 * 1 for four weeks and a month, 1/2, 1/3, 1/6, 1/12 for 2, 3, 6, 12 months.
 */
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

/** The nearest of the lengths that the store sells; of two equally near the shorter. */
export function lengthOfDays(days: number): PeriodLength {
  const distance = ({ days: own }: PeriodLength) => Math.abs(own - days);
  return PERIOD_LENGTHS.reduce<PeriodLength>(
    (nearest, length) => (distance(length) < distance(nearest) ? length : nearest),
    at(PERIOD_LENGTHS, 0),
  );
}

const ISO_DURATION = /^P(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,4})D)?$/;

/** Days of an ISO 8601 duration such as `P3M`, or null for anything else. */
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

/** The length that a report calls `1 Month` or `7 Days`, or null for anything else. */
export function lengthOfReport(text: string | null): PeriodLength | null {
  const [, count, unit] = REPORTED.exec(text ?? '') ?? [];
  const days = Number(count) * (UNIT_DAYS[unit ?? ''] ?? 0);
  return days > 0 ? lengthOfDays(days) : null;
}

export const LENGTH_SOURCES = ['product', 'monthly', 'offer'] as const;
/**
 * Says who knows how long a period is: its product has one length; under a commitment that is billed
 * by month it is a month, whatever the product's; a pay-up-front offer has its own.
 */
export type LengthSource = (typeof LENGTH_SOURCES)[number];

/**
 * The length that a price is for, by the period alone: a pay-up-front offer's own; else from purchase
 * to the expiry that was signed first, which an extension does not change.
 */
export function lengthOfPeriod(period: {
  purchasedAt: number;
  expiresAt: number;
  firstExpiresAt: number | null;
  discountType: string | null;
  offerPeriod: string | null;
  billedMonthly: boolean;
}): PeriodLength & { source: LengthSource } {
  const { discountType, offerPeriod, expiresAt, purchasedAt, billedMonthly } = period;
  const upFront =
    discountType === 'PAY_UP_FRONT' && offerPeriod !== null ? daysOfDuration(offerPeriod) : null;
  if (upFront !== null) return { ...lengthOfDays(upFront), source: 'offer' };
  const end = Math.min(expiresAt, period.firstExpiresAt ?? expiresAt);
  const length = lengthOfDays((end - purchasedAt) / DAY_MS);
  return { ...length, source: billedMonthly ? 'monthly' : 'product' };
}

/** How many paid periods of a product have a length. */
export type LengthCount = {
  productId: string;
  billedMonthly: boolean;
  duration: DurationName;
  periods: number;
};

/** Of the lengths of a product's periods the commonest; of equally common ones the longest. */
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
