import { toDecimal, scaleExactly } from '../../shared/decimal.ts';
import { minorExponent } from '../../shared/money.ts';

const ONE = toDecimal('1');

/** Whole minor units, rounded half to even as in sales figures. */
export const minorText = (amount: string, currency: string) =>
  String(scaleExactly(toDecimal(amount), ONE, ONE, minorExponent(currency)));
