import { type Decimal, decimalOf } from '../../../shared/decimal.ts';
import { minorExponent } from '../../../shared/money.ts';
import { addDays } from '../../../shared/pacific.ts';
import { type ScaledConverter, scaledConverter } from '../../../shared/scaled-amount.ts';
import type { Rate } from './parse.ts';

/** Weekends and holidays have no rate of their own; a rate is carried forward this long. */
export const CARRY_DAYS = 7;
const BASE = 'EUR';
const ONE: Decimal = { digits: 1n, scale: 0 };

export type RateTable = {
  /** Units for one euro on that day, or on the last of the seven days before it that has one. */
  rate: (currency: string, day: string) => Decimal | null;
  /**
   * What turns an amount into minor units of `target` by the rates of that day; null where one is
   * missing. A currency needs none for itself.
   */
  converter: (currency: string, target: string, day: string) => ScaledConverter | null;
};

export function createRateTable(rates: readonly Rate[]): RateTable {
  const byDay = new Map(
    rates.map(({ currency, day, rate }) => [`${currency} ${day}`, decimalOf(rate)]),
  );
  const found = new Map<string, Decimal | null>();
  const lookUp = (currency: string, day: string): Decimal | null => {
    for (let back = 0; back <= CARRY_DAYS; back += 1) {
      const rate = byDay.get(`${currency} ${addDays(day, -back)}`);
      if (rate) return rate;
    }
    return null;
  };
  const rate = (currency: string, day: string): Decimal | null => {
    if (currency === BASE) return ONE;
    const key = `${currency} ${day}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    const looked = lookUp(currency, day);
    found.set(key, looked);
    return looked;
  };
  return {
    rate,
    converter: (currency, target, day) => {
      const exponent = minorExponent(target);
      if (currency === target) {
        return scaledConverter({ multiplier: ONE, divisor: ONE }, exponent);
      }
      const divisor = rate(currency, day);
      const multiplier = rate(target, day);
      return divisor && multiplier ? scaledConverter({ multiplier, divisor }, exponent) : null;
    },
  };
}
