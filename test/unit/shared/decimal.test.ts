import { describe, expect, test } from 'bun:test';
import Big from 'big.js';
import fc from 'fast-check';
import {
  toDecimal,
  divideHalfEven,
  multiplyDecimals,
  plainDecimal,
  scaleExactly,
} from '../../../src/shared/decimal.ts';

const decimal = fc
  .tuple(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, scale]) => new Big(digits).div(new Big(10).pow(scale)).toFixed());
const positive = decimal.map((text) => text.replace('-', '')).filter((text) => Number(text) > 0);

describe('exact decimals', () => {
  test.each([
    ['0', 0n, 0],
    ['-12.340', -12340n, 3],
    ['1.0000001', 10000001n, 7],
  ])('%p', (text, digits, scale) => {
    expect(toDecimal(text)).toEqual({ digits, scale });
  });

  test.each(['', '1e3', '.5', '5.', '1,000', 'NaN', '--1'])('%p is refused', (text) => {
    expect(() => toDecimal(text)).toThrow('plain decimal');
  });
});

describe('plain form', () => {
  test.each([
    [false, '00', 1, '0'],
    [true, '000', 2, '0'],
    [true, '5', 3, '-0.005'],
    [false, '0012340', 3, '12.34'],
    [false, '1200', 0, '1200'],
  ])('%p %p %p is %p', (negative, digits, scale, plain) => {
    expect(plainDecimal(negative, digits, scale)).toBe(plain);
  });

  test('a product is that of a decimal library, digit by digit', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(multiplyDecimals(a, b)).toBe(new Big(a).times(b).toFixed().replace(/^-0$/, '0'));
      }),
    );
  });
});

describe('rounding', () => {
  test.each([
    [5n, 2n, 2n],
    [7n, 2n, 4n],
    [-5n, 2n, -2n],
    [-7n, 2n, -4n],
    [10n, 3n, 3n],
    [11n, 3n, 4n],
    [0n, 3n, 0n],
  ])('%p / %p is %p', (numerator, denominator, quotient) => {
    expect(divideHalfEven(numerator, denominator)).toBe(quotient);
  });

  test('the result is the nearest whole unit, and the even one of two equally near', () => {
    fc.assert(
      fc.property(decimal, positive, positive, (amount, multiplier, divisor) => {
        fc.pre(new Big(amount).times(multiplier).div(divisor).abs().lt(1e12));
        const units = scaleExactly(toDecimal(amount), toDecimal(multiplier), toDecimal(divisor), 2);
        // |amount·multiplier·100 − units·divisor| × 2 ≤ divisor, in exact arithmetic.
        const left = new Big(amount)
          .times(multiplier)
          .times(100)
          .minus(new Big(units).times(divisor));
        const distance = left.abs().times(2).cmp(divisor);
        expect(distance).toBeLessThanOrEqual(0);
        if (distance === 0) expect(Math.abs(units % 2)).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  test('agrees with a decimal library when nothing is divided', () => {
    fc.assert(
      fc.property(decimal, (amount) => {
        const one = toDecimal('1');
        const expected = new Big(amount).times(100).round(0, Big.roundHalfEven).toFixed(0);
        expect(scaleExactly(toDecimal(amount), one, one, 2) + 0).toBe(Number(expected) + 0);
      }),
    );
  });

  test('what a JSON number cannot hold is refused', () => {
    const one = toDecimal('1');
    expect(() => scaleExactly(toDecimal('99999999999999999'), one, one, 2)).toThrow(RangeError);
  });
});
