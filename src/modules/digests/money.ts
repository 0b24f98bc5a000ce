import { minorExponent } from '../../shared/money.ts';

/** An amount in minor units as people read it: `12.34 USD`. */
export function formatMinor(amountMinor: number, currency: string): string {
  const exponent = minorExponent(currency);
  return `${(amountMinor / 10 ** exponent).toFixed(exponent)} ${currency}`;
}
