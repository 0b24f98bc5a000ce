import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { STORED } from '../../../src/modules/purchases/model/stored.ts';
import { toRenewalDetails, toTransactionDetails } from '../../../src/providers/store-server/map.ts';
import { renewalPayload, transactionPayload } from '../../../src/providers/store-server/wire.ts';
import { listedOrNull } from '../../../src/shared/word-codes.ts';

const SIGNED = {
  originalTransactionId: '1',
  transactionId: '1',
  bundleId: 'com.example',
  productId: 'pro',
  purchaseDate: 1,
  signedDate: 1,
  environment: 'Production',
};

const read = (given: Record<string, unknown>) => ({
  ...toTransactionDetails(transactionPayload.parse({ ...SIGNED, ...given }), ''),
  ...toRenewalDetails(renewalPayload.parse({ ...SIGNED, ...given }), ''),
});

test('a row holds the code that the store signed, also one without a word', () => {
  const number = fc.oneof(fc.integer({ min: -2, max: 9 }), fc.maxSafeInteger());
  const text = fc.oneof(
    fc.constantFrom('FREE_TRIAL', 'PAY_UP_FRONT', 'MONTHLY', 'BILLED_UPFRONT', 'free_trial'),
    fc.constantFrom('', 'constructor', 'unlisted:', 'unlisted:7'),
    fc.string({ maxLength: 20 }).filter((it) => !it.includes('\0')),
  );
  fc.assert(
    fc.property(number, text, (code, name) => {
      const details = read({
        ...{ offerType: code, expirationIntent: code, revocationReason: code },
        ...{ priceIncreaseStatus: code, offerDiscountType: name, billingPlanType: name },
      });
      expect(STORED.offer.toCode(details.offer)).toBe(code);
      expect(STORED.expiryReason.toCode(details.expiryReason)).toBe(code);
      expect(STORED.refundReason.toCode(details.refundReason)).toBe(code);
      expect(STORED.priceIncrease.toCode(details.priceIncrease)).toBe(code);
      expect(STORED.discount.toCode(details.discount)).toBe(name);
      expect(STORED.billingPlan.toCode(details.billingPlan)).toBe(name);
    }),
  );
});

test('a row is read in the words of the store', () => {
  const codes = [null, -1, 0, 1, 2, 3, 4, 5, 6];
  for (const code of codes) {
    const details = read({ offerType: code, expirationIntent: code, revocationReason: code });
    expect(STORED.offer.toWord(code)).toBe(details.offer);
    expect(STORED.expiryReason.toWord(code)).toBe(details.expiryReason);
    expect(STORED.refundReason.toWord(code)).toBe(details.refundReason);
  }
  const listed = (words: { toWord: (code: number | null) => string | null }) =>
    codes.map((code) => listedOrNull(words.toWord(code)));
  expect(listed(STORED.offer)).toEqual([
    ...[null, null, null, 'introductory', 'promotional', 'offer_code', 'win_back'],
    ...[null, null],
  ]);
  expect(listed(STORED.expiryReason)).toEqual([
    ...[null, null, null, 'canceled', 'billing', 'price_increase', 'product_unavailable'],
    ...['other', null],
  ]);
  expect(listed(STORED.refundReason).slice(0, 5)).toEqual([null, null, 'other', 'app_issue', null]);
});
