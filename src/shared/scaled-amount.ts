import { type Decimal, decimalOf, scaleExactly } from './decimal.ts';

/** Amounts of reports have four decimals at most. */
export const AMOUNT_SCALE = 4;

/** A number of ten-thousandths, or the plain decimal where that would not be exact. */
export type ScaledAmount = number | string;

/** What an amount is multiplied with and divided by; both positive. */
export type Ratio = { multiplier: Decimal; divisor: Decimal };

/** An amount in whole minor units; null where a JSON number cannot hold it exactly. */
export type ScaledConverter = (amount: ScaledAmount) => number | null;

/** Up to here a product of doubles is off by far less than the margin. */
const FAST_MAX = 2 ** 32;
const MARGIN = 1e-4;

/**
 * Converts on doubles where their error (under 2^-16 for results under 2^32) cannot decide how the
 * result is rounded, and on exact integers where it could: next to a half, and for large amounts.
 */
export function scaledConverter({ multiplier, divisor }: Ratio, exponent: number): ScaledConverter {
  const power = 10 ** (divisor.scale - multiplier.scale + exponent - AMOUNT_SCALE);
  const factor = (Number(multiplier.digits) / Number(divisor.digits)) * power;
  const exactly = (amount: ScaledAmount): number | null => {
    const value: Decimal =
      typeof amount === 'string'
        ? decimalOf(amount)
        : { digits: BigInt(amount), scale: AMOUNT_SCALE };
    try {
      return scaleExactly(value, multiplier, divisor, exponent);
    } catch (thrown) {
      if (thrown instanceof RangeError) return null;
      throw thrown;
    }
  };
  return (amount) => {
    if (typeof amount === 'string') return exactly(amount);
    const product = amount * factor;
    const floor = Math.floor(product);
    const nearHalf = Math.abs(product - floor - 0.5) < MARGIN;
    if (nearHalf || !(Math.abs(product) < FAST_MAX)) return exactly(amount);
    return product - floor < 0.5 ? floor : floor + 1;
  };
}
