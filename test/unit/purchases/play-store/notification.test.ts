import { expect, test } from 'bun:test';
import { readNotification } from '../../../../src/modules/purchases/play-store/notification.ts';

const encode = (body: unknown) => Buffer.from(JSON.stringify(body)).toString('base64');
const PACKAGE = { version: '1.0', packageName: 'com.example.focus', eventTimeMillis: '1' };
const read = (body: object) => readNotification(encode({ ...PACKAGE, ...body }));
const NOTHING = {
  packageName: 'com.example.focus',
  isTest: false,
  isVoid: false,
  token: null,
  chargeback: null,
};

test('names the token to ask about, and of which kind it is', () => {
  const about = { version: '1.0', notificationType: 99, purchaseToken: 't' };
  expect(read({ subscriptionNotification: about })).toEqual({
    ...NOTHING,
    token: { purchaseToken: 't', kind: 'subscription' },
  });
  expect(read({ oneTimeProductNotification: { ...about, sku: 'coins' } })).toEqual({
    ...NOTHING,
    token: { purchaseToken: 't', kind: 'product' },
  });
});

test('a void names the list; a test, and a kind that Google added, nothing', () => {
  const voided = { purchaseToken: 't', orderId: 'GPA.1', productType: 1, refundType: 1 };
  expect(read({ voidedPurchaseNotification: voided })).toEqual({ ...NOTHING, isVoid: true });
  expect(read({ testNotification: { version: '1.0' } })).toEqual({ ...NOTHING, isTest: true });
  expect(read({ pendingRefundReviewNotification: { orderId: 'GPA.1' } })).toEqual(NOTHING);
  const review = { version: '1.0', pendingRefundToken: 'r', orderId: 'GPA.1' };
  const chargeback = { refundToken: 'r', orderId: 'GPA.1', reason: 'CHARGEBACK', eventMs: 1 };
  expect(read({ pendingRefundReviewNotification: { ...review, refundReason: 7 } })).toEqual({
    ...{ ...NOTHING, chargeback },
  });
  const other = { pendingRefundReviewNotification: { ...review, refundReason: 9 } };
  expect(read({ ...other, eventTimeMillis: 5 })?.chargeback).toEqual({
    ...{ ...chargeback, reason: '9', eventMs: null },
  });
});

test('what is no notification is nothing', () => {
  const long = 'x'.repeat(65_537);
  for (const data of ['', '!', 'e30=', encode([]), encode('text'), encode(null), long]) {
    expect(readNotification(data)).toBeNull();
  }
  expect(read({ subscriptionNotification: { purchaseToken: 5 } })).toBeNull();
});
