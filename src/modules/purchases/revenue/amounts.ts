import type { Deps } from '../../../context.ts';
import { divideHalfEven } from '../../../shared/decimal.ts';
import { minorOfMilliunits } from '../../../shared/money.ts';
import type { ScaledConverter } from '../../../shared/scaled-amount.ts';
import { DAY_MS, toIso } from '../../../shared/time.ts';
import type { Sold } from '../overview/chain.ts';

/** Store prices are thousandths, amounts of converters ten-thousandths. */
const TEN_THOUSANDTHS_OF_MILLIUNIT = 10;
const WHOLE = 100_000;

/** Whole minor units; null without a price or rate. */
export type Amount = { gross: number; refund: number };
export type Valued = { converted: Amount | null; own: (Amount & { currency: string }) | null };

type Bought = Pick<Sold, 'currency' | 'priceMilliunits' | 'purchasedAt' | 'refundedMilliunits'>;
export type Amounts = (sold: Bought) => Valued;

/** The same all day. */
type ConverterOn = (currency: string, atMs: number) => ScaledConverter | null;

function partOf(gross: number, share: number | null): number {
  if (share === null || share === WHOLE) return gross;
  return Number(divideHalfEven(BigInt(gross) * BigInt(share), BigInt(WHOLE)));
}

type Priced = Bought & { priceMilliunits: number; currency: string };

function toValued(sold: Priced, convert: ScaledConverter | null): Valued {
  const { priceMilliunits, currency, refundedMilliunits } = sold;
  const amount = (gross: number): Amount => ({ gross, refund: partOf(gross, refundedMilliunits) });
  const own = { currency, ...amount(minorOfMilliunits(priceMilliunits, currency)) };
  const gross = convert ? convert(priceMilliunits * TEN_THOUSANDTHS_OF_MILLIUNIT) : null;
  return { converted: gross === null ? null : amount(gross), own };
}

function isPriced(sold: Bought): sold is Priced {
  return sold.priceMilliunits !== null && sold.currency !== null;
}

const UNPRICED: Valued = { converted: null, own: null };

/** Bounds what is kept where prices are of all kinds. */
const KEPT_MAX = 100_000;

type ByDay = Map<number, Valued>;
type Price = { currency: string; priceMilliunits: number; days: ByDay };

/** Each transaction is converted and rounded once, so that all sums agree. */
export function createAmounts(converterOn: ConverterOn): Amounts {
  const kept = new Map<string, Map<number, Price>>();
  let count = 0;
  let last: Price | null = null;
  // Few prices: one value for everybody on a day, and most pay the same again.
  const daysOf = ({ currency, priceMilliunits }: Priced): ByDay => {
    if (last && last.priceMilliunits === priceMilliunits && last.currency === currency) {
      return last.days;
    }
    const prices = kept.get(currency) ?? new Map<number, Price>();
    if (prices.size === 0) kept.set(currency, prices);
    last = prices.get(priceMilliunits) ?? { currency, priceMilliunits, days: new Map() };
    if (last.days.size === 0 && count < KEPT_MAX) prices.set(priceMilliunits, last);
    return last.days;
  };
  return (sold) => {
    if (!isPriced(sold)) return UNPRICED;
    const { currency, purchasedAt, refundedMilliunits } = sold;
    if (refundedMilliunits !== null) return toValued(sold, converterOn(currency, purchasedAt));
    const days = daysOf(sold);
    const day = Math.floor(purchasedAt / DAY_MS);
    const known = days.get(day);
    if (known) return known;
    const valued = toValued(sold, converterOn(currency, purchasedAt));
    if (count < KEPT_MAX) {
      days.set(day, valued);
      count += 1;
    }
    return valued;
  };
}

const toDay = (ms: number): string => toIso(new Date(ms)).slice(0, 10);

export async function readAmounts(
  { rates, clock }: Pick<Deps, 'clock' | 'rates'>,
  target: string,
  firstMs: number,
): Promise<Amounts> {
  // Whole years: one cached table for many queries.
  const from = `${toDay(firstMs).slice(0, 4)}-01-01`;
  const table = await rates.load(from, toDay(clock().getTime()));
  const known = new Map<string, Map<number, ScaledConverter | null>>();
  return createAmounts((currency, atMs) => {
    const days = known.get(currency) ?? new Map<number, ScaledConverter | null>();
    known.set(currency, days);
    const day = Math.floor(atMs / DAY_MS);
    const cached = days.get(day);
    if (cached !== undefined) return cached;
    const converter = table.converter(currency, target, toDay(atMs));
    days.set(day, converter);
    return converter;
  });
}
