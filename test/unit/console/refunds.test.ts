import { expect, test } from 'bun:test';
import { allRefunds } from '../../../src/console/pages/subscribers/refunds.ts';

test('the amount beside the rate of refunds has one-time purchases too, as revenue does', () => {
  const given = (count: number, amountMinor: number) => ({ count, amountMinor });
  const overview = {
    refunds: { byRefundDay: given(7, 4_783) },
    nonRenewing: { purchases: given(9, 9_000), refunds: given(4, 1_163) },
  };
  expect(allRefunds(overview as never)).toEqual(given(11, 5_946));
});
