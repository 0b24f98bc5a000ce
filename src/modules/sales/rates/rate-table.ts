import { type Decimal, decimalOf } from '../../../shared/decimal.ts';
import { minorExponent } from '../../../shared/money.ts';
import { addDays } from '../../../shared/pacific.ts';
import {
  type Ratio,
  type ScaledConverter,
  scaledConverter,
} from '../../../shared/scaled-amount.ts';
import type { Rate } from './parse.ts';

/** Weekends and holidays have no rate of their own; a rate is carried forward this long. */
export const CARRY_DAYS = 7;
const BASE = 'EUR';
const ONE: Decimal = { digits: 1n, scale: 0 };

export type RateTable = {
  /** Which import of rates this table is of; each import has a higher one. */
  revision: number;
  /**
   * Turns an amount into minor units of `target` by the rates of that day, or of the last of the
   * seven days before that has one; null where one is missing. A currency needs none for itself.
   */
  converter: (currency: string, target: string, day: string) => ScaledConverter | null;
  /**
   * Minor units of `target` for one unit, by the same rates, as near as a double comes to it: for
   * sums that are rounded once, in the end.
   */
  unitRate: (currency: string, target: string, day: string) => number | null;
  /** Turns an amount into minor units of its own currency. */
  converterToMinor: (currency: string) => ScaledConverter;
};

export function createRateTable(rates: readonly Rate[], revision = 0): RateTable {
  const quoted = new Map(rates.map((rate) => [`${rate.currency} ${rate.day}`, rate.rate]));
  const carried = new Map<string, Decimal | null>();
  const lookUp = (currency: string, day: string): Decimal | null => {
    for (let back = 0; back <= CARRY_DAYS; back += 1) {
      const rate = quoted.get(`${currency} ${addDays(day, -back)}`);
      if (rate !== undefined) return decimalOf(rate);
    }
    return null;
  };
  /** Units for one euro. */
  const rateOf = (currency: string, day: string): Decimal | null => {
    if (currency === BASE) return ONE;
    const key = `${currency} ${day}`;
    const kept = carried.get(key);
    if (kept !== undefined) return kept;
    const rate = lookUp(currency, day);
    carried.set(key, rate);
    return rate;
  };
  const ratioOf = (currency: string, target: string, day: string): Ratio | null => {
    if (currency === target) return { multiplier: ONE, divisor: ONE };
    const divisor = rateOf(currency, day);
    const multiplier = rateOf(target, day);
    return divisor && multiplier ? { multiplier, divisor } : null;
  };
  const converterToMinor = (currency: string) =>
    scaledConverter({ multiplier: ONE, divisor: ONE }, minorExponent(currency));
  return {
    revision,
    converterToMinor,
    converter: (currency, target, day) => {
      const ratio = ratioOf(currency, target, day);
      return ratio && scaledConverter(ratio, minorExponent(target));
    },
    unitRate: (currency, target, day) => {
      const ratio = ratioOf(currency, target, day);
      if (!ratio) return null;
      const { multiplier, divisor } = ratio;
      const power = 10 ** (divisor.scale - multiplier.scale + minorExponent(target));
      return (Number(multiplier.digits) / Number(divisor.digits)) * power;
    },
  };
}
