import { describe, expect, test } from 'bun:test';
import Big from 'big.js';
import fc from 'fast-check';
import { createRateTable } from '../../../src/modules/sales/rates/rate-table.ts';
import { convertTo } from '../../support/reports.ts';

// Friday and the Monday after it.
const table = createRateTable([
  { day: '2026-03-06', currency: 'USD', rate: '1.25' },
  { day: '2026-03-06', currency: 'JPY', rate: '160' },
  { day: '2026-03-09', currency: 'USD', rate: '1.2' },
]);
const usd = convertTo(table, 'USD');

describe('conversion', () => {
  test.each([
    ['10', 'EUR', '2026-03-06', 1250],
    ['10', 'EUR', '2026-03-09', 1200],
    ['160', 'JPY', '2026-03-06', 125],
    ['-160', 'JPY', '2026-03-06', -125],
    ['3.335', 'USD', '2026-03-06', 334],
  ])('%s %s on %s', (amount, currency, day, minor) => {
    expect(usd(amount, currency, day)).toBe(minor);
  });

  test('a yen is a whole unit', () => {
    expect(convertTo(table, 'JPY')('1.25', 'USD', '2026-03-06')).toBe(160);
  });

  test('a currency needs no rate for itself', () => {
    const empty = createRateTable([]);
    expect(convertTo(empty, 'CLP')('950', 'CLP', '2026-03-06')).toBe(950);
  });
});

describe('days without a rate', () => {
  test('a weekend takes the Friday before it', () => {
    expect(usd('10', 'EUR', '2026-03-07')).toBe(1250);
    expect(usd('10', 'EUR', '2026-03-08')).toBe(1250);
  });

  test('seven days back and no further', () => {
    expect(usd('160', 'JPY', '2026-03-13')).not.toBeNull();
    expect(usd('160', 'JPY', '2026-03-14')).toBeNull();
  });

  test('a later rate is never used for an earlier day', () => {
    expect(usd('10', 'EUR', '2026-03-05')).toBeNull();
  });

  test('a currency that is not quoted cannot be converted, in either direction', () => {
    expect(usd('950', 'CLP', '2026-03-06')).toBeNull();
    expect(convertTo(table, 'CLP')('1', 'USD', '2026-03-06')).toBeNull();
  });
});

describe('amounts beyond what JSON holds', () => {
  test('stay unconverted instead of becoming wrong', () => {
    expect(convertTo(table, 'JPY')('999999999999999', 'USD', '2026-03-06')).toBeNull();
  });
});

describe('exactness', () => {
  test('one unit of a currency is worth its minor units to fifteen digits', () => {
    const digits = fc.integer({ min: 1, max: 99_999_999 });
    fc.assert(
      fc.property(digits, digits, fc.nat(6), fc.nat(6), (a, b, scaleA, scaleB) => {
        const quoted = [new Big(a).div(10 ** scaleA), new Big(b).div(10 ** scaleB)] as const;
        const rates = ['IDR', 'JPY'].map((currency, index) => ({
          ...{ day: '2026-03-06', currency, rate: quoted[index]!.toFixed() },
        }));
        const exact = quoted[1].div(quoted[0]);
        const unit = createRateTable(rates).unitRate('IDR', 'JPY', '2026-03-08');
        // Big.js divides to twenty decimals.
        const error = new Big(unit!).minus(exact).abs();
        expect(error.lte(exact.times('1e-15').plus('1e-19'))).toBe(true);
      }),
    );
    expect(table.unitRate('KWD', 'KWD', '2026-03-06')).toBe(1_000);
    expect(table.unitRate('EUR', 'USD', '2026-03-06')).toBe(125);
    expect(table.unitRate('CLP', 'USD', '2026-03-06')).toBeNull();
    expect(table.unitRate('USD', 'CLP', '2026-03-06')).toBeNull();
  });

  test('a conversion is within half a minor unit of the exact amount', () => {
    const cents = fc.integer({ min: -10_000_000, max: 10_000_000 });
    fc.assert(
      fc.property(cents, (minor) => {
        const amount = new Big(minor).div(100).toFixed();
        const converted = usd(amount, 'JPY', '2026-03-06');
        const exact = new Big(amount).times('1.25').times(100);
        expect(new Big(converted ?? NaN).times(160).minus(exact).abs().times(2).lte(160)).toBe(
          true,
        );
      }),
    );
  });
});
