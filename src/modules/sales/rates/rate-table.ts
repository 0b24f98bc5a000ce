import { type Decimal, toDecimal } from '../../../shared/decimal.ts';
import { minorExponent } from '../../../shared/money.ts';
import { addDays } from '../../../shared/pacific.ts';
import * as amounts from '../../../shared/scaled-amount.ts';
import type { Rate } from './parse.ts';

/** Carries rates over weekends and holidays. */
export const CARRY_DAYS = 7;
const BASE = 'EUR';
const ONE: Decimal = { digits: 1n, scale: 0 };

export type RateTable = {
  revision: number;
  /** The day's, or the last within `CARRY_DAYS`; null without one. */
  converter: (currency: string, target: string, day: string) => amounts.ScaledConverter | null;
  /** Minor units of `target`, unrounded. */
  unitRate: (currency: string, target: string, day: string) => number | null;
  converterToMinor: (currency: string) => amounts.ScaledConverter;
};

export function createRateTable(rates: readonly Rate[], revision = 0): RateTable {
  const quoted = new Map(rates.map((rate) => [`${rate.currency} ${rate.day}`, rate.rate]));
  const carried = new Map<string, Decimal | null>();
  const lookUp = (currency: string, day: string): Decimal | null => {
    for (let back = 0; back <= CARRY_DAYS; back += 1) {
      const rate = quoted.get(`${currency} ${addDays(day, -back)}`);
      if (rate !== undefined) return toDecimal(rate);
    }
    return null;
  };
  const rateOf = (currency: string, day: string): Decimal | null => {
    if (currency === BASE) return ONE;
    const key = `${currency} ${day}`;
    const kept = carried.get(key);
    if (kept !== undefined) return kept;
    const rate = lookUp(currency, day);
    carried.set(key, rate);
    return rate;
  };
  const ratioOf = (currency: string, target: string, day: string): amounts.Ratio | null => {
    if (currency === target) return { multiplier: ONE, divisor: ONE };
    const divisor = rateOf(currency, day);
    const multiplier = rateOf(target, day);
    return divisor && multiplier ? { multiplier, divisor } : null;
  };
  const converterToMinor = (currency: string) =>
    amounts.scaledConverter({ multiplier: ONE, divisor: ONE }, minorExponent(currency));
  return {
    revision,
    converterToMinor,
    converter: (currency, target, day) => {
      const ratio = ratioOf(currency, target, day);
      return ratio && amounts.scaledConverter(ratio, minorExponent(target));
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
