import { decimalOf, scaleExactly } from '../../shared/decimal.ts';
import { minorExponent } from '../../shared/money.ts';

const ONE = decimalOf('1');

/** An amount of the currency in whole minor units, rounded half to even, as figures of sales are. */
export const minorText = (amount: string, currency: string) =>
  String(scaleExactly(decimalOf(amount), ONE, ONE, minorExponent(currency)));
