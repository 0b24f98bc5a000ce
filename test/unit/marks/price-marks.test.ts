import { describe, expect, test } from 'bun:test';
import { priceMarks } from '../../../src/modules/marks/price-marks.ts';
import type { PriceChange } from '../../../src/modules/sales/index.ts';

const change = (more: Partial<PriceChange> = {}): PriceChange => ({
  day: '2026-03-10',
  productId: 'pro',
  productName: 'Pro',
  country: 'US',
  currency: 'USD',
  fromMinor: 499,
  toMinor: 599,
  ...more,
});
const euro = { country: 'DE', currency: 'EUR' };
const said = (changes: PriceChange[]) =>
  priceMarks(changes).map(({ day, text, price }) => [day, text, price?.countries]);

describe('marks of prices', () => {
  test('say the product, the prices and the country', () => {
    expect(priceMarks([change()])).toEqual([
      {
        kind: 'price',
        day: '2026-03-10',
        at: null,
        text: 'Price of Pro: 4.99 USD → 5.99 USD in US',
        id: null,
        author: null,
        price: {
          productId: 'pro',
          productName: 'Pro',
          country: 'US',
          currency: 'USD',
          fromMinor: 499,
          toMinor: 599,
          countries: 1,
        },
      },
    ]);
    expect(priceMarks([])).toEqual([]);
  });

  test('are one for a product that changed in many countries within a week', () => {
    const changes = [
      change({ day: '2026-03-16', country: 'JP', currency: 'JPY', fromMinor: 600, toMinor: 700 }),
      change({ ...euro, day: '2026-03-11' }),
      change(),
      change({ productId: 'max', productName: 'Max' }),
    ];
    expect(said(changes)).toEqual([
      ['2026-03-10', 'Price of Pro: 4.99 USD → 5.99 USD in US and 2 more countries', 3],
      ['2026-03-10', 'Price of Max: 4.99 USD → 5.99 USD in US', 1],
    ]);
    expect(said([change(), change(euro)])).toEqual([
      ['2026-03-10', 'Price of Pro: 4.99 EUR → 5.99 EUR in DE and 1 more country', 2],
    ]);
  });

  test('are another one a week later, and where the same country changes again', () => {
    expect(said([change(), change({ ...euro, day: '2026-03-17' })])).toHaveLength(2);
    const back = change({ day: '2026-03-12', fromMinor: 599, toMinor: 499 });
    expect(said([change(), back])).toEqual([
      ['2026-03-10', 'Price of Pro: 4.99 USD → 5.99 USD in US', 1],
      ['2026-03-12', 'Price of Pro: 5.99 USD → 4.99 USD in US', 1],
    ]);
    // Another currency of the same country is another price, and the country still one.
    expect(said([change(), change({ currency: 'EUR' })])).toEqual([
      ['2026-03-10', 'Price of Pro: 4.99 EUR → 5.99 EUR in US', 1],
    ]);
  });

  test('are of the earliest day of the change, whatever its country', () => {
    expect(said([change({ day: '2026-03-11', country: 'AT' }), change()])).toEqual([
      ['2026-03-10', 'Price of Pro: 4.99 USD → 5.99 USD in US and 1 more country', 2],
    ]);
  });
});
