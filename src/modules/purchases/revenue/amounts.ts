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

type Kept = Map<string, Map<number, Map<number, Valued>>>;

/** Few prices a day: one value for all who paid it. */
function keptOn(kept: Kept, currency: string, day: number): Map<number, Valued> {
  const days = kept.get(currency) ?? new Map<number, Map<number, Valued>>();
  if (days.size === 0) kept.set(currency, days);
  const prices = days.get(day) ?? new Map<number, Valued>();
  if (prices.size === 0) days.set(day, prices);
  return prices;
}

/** Each transaction is converted and rounded once, so that all sums agree. */
export function createAmounts(converterOn: ConverterOn): Amounts {
  const kept: Kept = new Map();
  let count = 0;
  return (sold) => {
    if (!isPriced(sold)) return UNPRICED;
    const { currency, priceMilliunits, purchasedAt, refundedMilliunits } = sold;
    const value = () => toValued(sold, converterOn(currency, purchasedAt));
    if (refundedMilliunits !== null) return value();
    const prices = keptOn(kept, currency, Math.floor(purchasedAt / DAY_MS));
    const known = prices.get(priceMilliunits);
    if (known) return known;
    const valued = value();
    if (count < KEPT_MAX) {
      prices.set(priceMilliunits, valued);
      count += 1;
    }
    return valued;
  };
}

const toDay = (ms: number): string => toIso(new Date(ms)).slice(0, 10);

/** ECB rate of the purchase day, or the last of seven before. */
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
