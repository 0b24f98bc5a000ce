import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { minorExponent, minorOfMilliunits, parseDecimal } from '../../../src/shared/money.ts';

describe('minor units', () => {
  test.each([
    ['USD', 2],
    ['EUR', 2],
    ['IDR', 2],
    ['JPY', 0],
    ['CLP', 0],
    ['ISK', 0],
    ['KWD', 3],
    ['BHD', 3],
    ['CLF', 4],
    ['UYW', 4],
  ])('%s has %d decimals', (currency, exponent) => {
    expect(minorExponent(currency)).toBe(exponent);
  });
});

test.each([
  [10_990, 'USD', 1_099],
  [10_985, 'USD', 1_098],
  [10_995, 'USD', 1_100],
  [1_498_500, 'JPY', 1_498],
  [1_499_500, 'JPY', 1_500],
  [-2_500, 'JPY', -2],
  [1_498_501, 'JPY', 1_499],
  [1_500, 'KWD', 1_500],
  [1_500, 'CLF', 15_000],
])(
  '%d thousandths of %s are %d of its minor units, half to even',
  (milliunits, currency, minor) => {
    expect(minorOfMilliunits(milliunits, currency)).toBe(minor);
  },
);

describe('decimals of a report', () => {
  test.each([
    ['1', '1'],
    ['-50', '-50'],
    ['.70', '0.7'],
    ['-.7', '-0.7'],
    ['1,234.50', '1234.5'],
    ['12,345,678', '12345678'],
    [' 0.99 ', '0.99'],
    ['100.00', '100'],
  ])('%p is %p', (text, plain) => {
    expect(parseDecimal(text)).toBe(plain);
  });

  test('an empty cell is nothing, not zero', () => {
    expect(parseDecimal('')).toBeNull();
    expect(parseDecimal('   ')).toBeNull();
  });

  test.each(['x', '1e5', '0x10', '1,23', '1.2.3', '-', '.', '1 000', 'NaN', 'Infinity', '--1'])(
    '%p is refused',
    (text) => {
      expect(() => parseDecimal(text)).toThrow('not a decimal');
    },
  );

  test('more than forty characters are refused', () => {
    expect(parseDecimal('9'.repeat(40))).toBe('9'.repeat(40));
    expect(() => parseDecimal('9'.repeat(41))).toThrow('not a decimal');
  });

  test('no digit is lost, whatever the length', () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,15}\.\d{0,9}[1-9]$/);
    fc.assert(
      fc.property(digits, (text) => {
        expect(parseDecimal(text)).toBe(text);
      }),
    );
  });
});
