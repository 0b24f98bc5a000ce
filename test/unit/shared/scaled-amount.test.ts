import { describe, expect, test } from 'bun:test';
import Big from 'big.js';
import fc from 'fast-check';
import { toDecimal, scaleExactly } from '../../../src/shared/decimal.ts';
import { minorExponent } from '../../../src/shared/money.ts';
import { AMOUNT_SCALE, scaledConverter } from '../../../src/shared/scaled-amount.ts';
import { scaledAmount } from '../../support/reports.ts';

const ONE = toDecimal('1');
const inMinor = (amount: string, currency: string) =>
  scaledConverter({ multiplier: ONE, divisor: ONE }, minorExponent(currency))(scaledAmount(amount));

describe('minor units', () => {
  test.each([
    ['0.125', 'USD', 12],
    ['0.135', 'USD', 14],
    ['-0.125', 'USD', -12],
    ['-0.135', 'USD', -14],
    ['0.1350000001', 'USD', 14],
    ['0.1249999999', 'USD', 12],
    ['2.5', 'JPY', 2],
    ['3.5', 'JPY', 4],
    ['-0.001', 'USD', 0],
    ['1.0005', 'KWD', 1000],
  ])('%s %s is %d', (amount, currency, minor) => {
    expect(inMinor(amount, currency)).toBe(minor);
    expect(Object.is(inMinor(amount, currency), -0)).toBe(false);
  });

  test('what a JSON number cannot hold is refused', () => {
    expect(inMinor('90071992547409.93', 'USD')).toBeNull();
    expect(inMinor('99999999999999999', 'JPY')).toBeNull();
  });

  test('whole minor units come back as they went in', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (minor) => {
        expect(inMinor(new Big(minor).div(100).toFixed(), 'USD')).toBe(minor === 0 ? 0 : minor);
      }),
    );
  });
});

const rate = fc
  .tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, scale]) => ({ digits: BigInt(digits), scale }));

function exactly(amount: number, ratio: Parameters<typeof scaledConverter>[0], exponent: number) {
  const value = { digits: BigInt(amount), scale: AMOUNT_SCALE };
  return scaleExactly(value, ratio.multiplier, ratio.divisor, exponent);
}

describe('the fast way gives what the exact one gives', () => {
  const exponents = fc.integer({ min: 0, max: 4 });

  test('for any amount and any two rates', () => {
    const amounts = fc.integer({ min: -1e9, max: 1e9 });
    fc.assert(
      fc.property(amounts, rate, rate, exponents, (amount, multiplier, divisor, exponent) => {
        const ratio = { multiplier, divisor };
        const convert = scaledConverter(ratio, exponent);
        let exact: number | null;
        try {
          exact = exactly(amount, ratio, exponent);
        } catch {
          exact = null;
        }
        expect(convert(amount)).toBe(exact);
      }),
      { numRuns: 3_000 },
    );
  });

  test('right beside a half, where doubles cannot tell', () => {
    const halves = fc.integer({ min: -10_000_000, max: 10_000_000 });
    fc.assert(
      fc.property(halves, rate, fc.integer({ min: -1, max: 1 }), (unit, divisor, beside) => {
        // amount ÷ (2 × digits) lies at unit + ½, or one ten-thousandth of the divisor beside it.
        const ratio = { multiplier: ONE, divisor: { digits: divisor.digits * 2n, scale: 0 } };
        const amount = (2 * unit + 1) * Number(divisor.digits) + beside;
        fc.pre(Number.isSafeInteger(amount));
        expect(scaledConverter(ratio, AMOUNT_SCALE)(amount)).toBe(
          exactly(amount, ratio, AMOUNT_SCALE),
        );
      }),
      { numRuns: 3_000 },
    );
  });
});
