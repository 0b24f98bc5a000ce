import { type Decimal, decimalOf, scaleExactly } from '../../shared/decimal.ts';
import { minorExponent } from '../../shared/money.ts';
import { addDays } from '../../shared/pacific.ts';
import type { Rate } from './parse.ts';

/** Weekends and holidays have no rate of their own; a rate is carried forward this long. */
export const CARRY_DAYS = 7;
const BASE = 'EUR';
const ONE: Decimal = { digits: 1n, scale: 0 };

/** An exact amount in minor units of the target currency; null where a rate is missing. */
export type Converter = (amount: string, currency: string, day: string) => number | null;

export type RateTable = {
  /** Units for one euro on that day, or on the last of the seven days before it that has one. */
  rate: (currency: string, day: string) => Decimal | null;
  convertTo: (target: string) => Converter;
};

/** What a JSON number cannot hold in the target currency stays in its own. */
function withinRange(convert: () => number): number | null {
  try {
    return convert();
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

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
    convertTo: (target) => {
      const exponent = minorExponent(target);
      return (amount, currency, day) => {
        // Nothing is worth nothing in any currency, also without a rate; the same currency needs none.
        const value = decimalOf(amount);
        if (value.digits === 0n) return 0;
        if (currency === target) return scaleExactly(value, ONE, ONE, exponent);
        const from = rate(currency, day);
        const to = rate(target, day);
        return from && to ? withinRange(() => scaleExactly(value, to, from, exponent)) : null;
      };
    },
  };
}
