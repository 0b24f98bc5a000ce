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

export type Amounts = (sold: Sold) => Valued;

type ConverterOn = (currency: string, atMs: number) => ScaledConverter | null;

function partOf(gross: number, share: number | null): number {
  if (share === null || share === WHOLE) return gross;
  return Number(divideHalfEven(BigInt(gross) * BigInt(share), BigInt(WHOLE)));
}

/** Each transaction is converted and rounded once, so that all sums agree. */
export const createAmounts =
  (converterOn: ConverterOn): Amounts =>
  ({ priceMilliunits, currency, purchasedAt, refundedMilliunits }) => {
    if (priceMilliunits === null || currency === null) return { converted: null, own: null };
    const amount = (gross: number): Amount => ({
      gross,
      refund: partOf(gross, refundedMilliunits),
    });
    const own = { currency, ...amount(minorOfMilliunits(priceMilliunits, currency)) };
    const convert = converterOn(currency, purchasedAt);
    const gross = convert ? convert(priceMilliunits * TEN_THOUSANDTHS_OF_MILLIUNIT) : null;
    return { converted: gross === null ? null : amount(gross), own };
  };

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
