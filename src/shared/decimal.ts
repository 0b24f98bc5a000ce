/** `digits` × 10^-`scale`. Faster than a decimal library over a million rows. */
export type Decimal = { digits: bigint; scale: number };

const PLAIN_DECIMAL = /^-?\d{1,60}(?:\.\d{1,60})?$/;

export function toDecimal(text: string): Decimal {
  if (!PLAIN_DECIMAL.test(text)) throw new Error(`not a plain decimal: ${text.slice(0, 40)}`);
  const point = text.indexOf('.');
  if (point === -1) return { digits: BigInt(text), scale: 0 };
  return {
    digits: BigInt(text.slice(0, point) + text.slice(point + 1)),
    scale: text.length - point - 1,
  };
}

export function plainDecimal(negative: boolean, digits: string, scale: number): string {
  const padded = digits.padStart(scale + 1, '0');
  const whole = padded.slice(0, padded.length - scale).replace(/^0+(?=\d)/, '');
  const fraction = scale === 0 ? '' : padded.slice(-scale).replace(/0+$/, '');
  const plain = fraction === '' ? whole : `${whole}.${fraction}`;
  return negative && plain !== '0' ? `-${plain}` : plain;
}

/** Exact. */
export function multiplyDecimals(a: string, b: string): string {
  const [left, right] = [toDecimal(a), toDecimal(b)];
  const product = left.digits * right.digits;
  const size = product < 0n ? -product : product;
  return plainDecimal(product < 0n, String(size), left.scale + right.scale);
}

/** Exact. */
export function addDecimals(a: string, b: string): string {
  const [left, right] = [toDecimal(a), toDecimal(b)];
  const scale = Math.max(left.scale, right.scale);
  const at = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own);
  const sum = at(left) + at(right);
  return plainDecimal(sum < 0n, String(sum < 0n ? -sum : sum), scale);
}

/** Rounds half to even; `denominator` is positive. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n;
  const size = negative ? -numerator : numerator;
  const floor = size / denominator;
  const twice = (size - floor * denominator) * 2n;
  const up = twice > denominator || (twice === denominator && floor % 2n === 1n);
  const rounded = up ? floor + 1n : floor;
  return negative ? -rounded : rounded;
}

const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

/**
 * `amount × multiplier ÷ divisor` in 10^-`exponent`, half to even once. Throws RangeError beyond
 * 2^53.
 */
export function scaleExactly(
  amount: Decimal,
  multiplier: Decimal,
  divisor: Decimal,
  exponent: number,
): number {
  const numerator = amount.digits * multiplier.digits * powerOfTen(divisor.scale + exponent);
  const denominator = divisor.digits * powerOfTen(amount.scale + multiplier.scale);
  const rounded = Number(divideHalfEven(numerator, denominator));
  if (!Number.isSafeInteger(rounded)) throw new RangeError('The amount is out of range.');
  return rounded;
}
