import { plainDecimal } from './decimal.ts';

/** ISO 4217 exceptions to two decimals. */
const EXPONENTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
      .split(' ')
      .map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
};

/** 2 for USD, 0 for JPY, 3 for KWD. */
export function minorExponent(currency: string): number {
  return EXPONENTS[currency] ?? 2;
}

/** Thousandths of a currency in its minor units, half to even: 10990 is 1099 of USD, 11 of JPY. */
export function minorOfMilliunits(milliunits: number, currency: string): number {
  const minor = milliunits * 10 ** (minorExponent(currency) - 3);
  const rounded = Math.round(minor);
  return rounded - minor === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

export function formatMinor(amountMinor: number, currency: string): string {
  const exponent = minorExponent(currency);
  return `${(amountMinor / 10 ** exponent).toFixed(exponent)} ${currency}`;
}

const DECIMAL = /^(-?)(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d+))?$/;

/**
 * Report decimals (`1,234.50`, `.70`, `-3`) in plain form. Null for an empty cell; throws Error for
 * others.
 */
export function parseDecimal(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(trimmed) ?? [];
  if (whole + fraction === '' || trimmed.length > 40) {
    throw new Error(`not a decimal number: ${JSON.stringify(trimmed.slice(0, 40))}`);
  }
  return plainDecimal(sign === '-', whole.replaceAll(',', '') + fraction, fraction.length);
}
