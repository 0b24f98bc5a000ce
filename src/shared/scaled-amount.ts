import { type Decimal, scaleExactly, toDecimal } from './decimal.ts';

/** Decimals in reports. */
export const AMOUNT_SCALE = 4;

/** Ten-thousandths, or a plain decimal where inexact. */
export type ScaledAmount = number | string;

/** Both positive. */
export type Ratio = { multiplier: Decimal; divisor: Decimal };

/** Null beyond exact JSON numbers. */
export type ScaledConverter = (amount: ScaledAmount) => number | null;

/** Below this the error of doubles is far under the margin. */
const FAST_MAX = 2 ** 32;
const MARGIN = 1e-4;

/** Doubles where their error (under 2^-16) cannot change the rounding. */
export function scaledConverter({ multiplier, divisor }: Ratio, exponent: number): ScaledConverter {
  const power = 10 ** (divisor.scale - multiplier.scale + exponent - AMOUNT_SCALE);
  const factor = (Number(multiplier.digits) / Number(divisor.digits)) * power;
  const exactly = (amount: ScaledAmount): number | null => {
    const value: Decimal =
      typeof amount === 'string'
        ? toDecimal(amount)
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
