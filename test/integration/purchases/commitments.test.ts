import { expect, test } from 'bun:test';
import { readRecords } from '../../../src/analyst/queries.ts';
import {
  toRenewal,
  toTransaction,
  toTransactionDetails,
} from '../../../src/providers/store-server/map.ts';
import { renewalPayload, transactionPayload } from '../../../src/providers/store-server/wire.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { clock, deps } = service;
clock.now = Date.UTC(2026, 9, 20, 12);

/** What Apple's own library is tested with (`tests/resources/models`), in another environment. */
const VECTOR = {
  transaction: {
    ...{ transactionId: '23456', originalTransactionId: '12345', bundleId: 'com.example' },
    ...{ productId: 'com.example.product', purchaseDate: 1698148900000 },
    ...{ expiresDate: 1698149000000, type: 'Auto-Renewable Subscription' },
    ...{ inAppOwnershipType: 'PURCHASED', signedDate: 1698148900000, environment: 'Production' },
    ...{ offerDiscountType: 'PAY_AS_YOU_GO', offerPeriod: 'P1Y', price: 10990, currency: 'USD' },
    billingPlanType: 'MONTHLY',
    commitmentInfo: {
      ...{ billingPeriodNumber: 3, commitmentExpiresDate: 1698150000000 },
      ...{ commitmentPrice: 119880, totalBillingPeriods: 12 },
    },
  },
  renewal: {
    ...{ expirationIntent: 1, originalTransactionId: '12345', autoRenewStatus: 1 },
    ...{ autoRenewProductId: 'com.example.product.2', productId: 'com.example.product' },
    ...{ isInBillingRetryPeriod: true, signedDate: 1698148800000, environment: 'Production' },
    commitmentInfo: {
      ...{ commitmentAutoRenewProductId: 'com.example.product.commitment' },
      ...{ commitmentAutoRenewStatus: 1, commitmentRenewalBillingPlanType: 'MONTHLY' },
      ...{ commitmentRenewalDate: 1698149500000, commitmentRenewalPrice: 9990 },
    },
    renewalBillingPlanType: 'MONTHLY',
  },
};

test("a commitment is read as the store's own examples have it", () => {
  const transaction = transactionPayload.parse(VECTOR.transaction);
  expect(toTransaction(transaction).committedUntil).toBe(1698150000000);
  expect(toTransactionDetails(transaction, '')).toMatchObject({
    billingPlan: 'monthly',
    commitmentExpiresAt: 1698150000000,
  });
  expect(toRenewal(renewalPayload.parse(VECTOR.renewal))).toMatchObject({ willRenew: true });
  const said = (autoRenewStatus: number, commitmentInfo: unknown) => {
    const payload = renewalPayload.parse({ ...VECTOR.renewal, autoRenewStatus, commitmentInfo });
    const { willRenew, isCommitted } = toRenewal(payload);
    return [willRenew, isCommitted];
  };
  expect(said(1, { commitmentAutoRenewStatus: 0 })).toEqual([false, true]);
  expect(said(0, { commitmentAutoRenewStatus: 0 })).toEqual([false, undefined]);
  // An odd value, or one of a later release, is as if it were left out.
  for (const odd of ['x', null, {}, { commitmentAutoRenewStatus: 2 }]) {
    expect(said(1, odd)).toEqual([true, undefined]);
  }
  for (const odd of [{ billingPlanType: 'BILLED_UPFRONT' }, { commitmentInfo: 7 }]) {
    const other = transactionPayload.parse({ ...VECTOR.transaction, ...odd });
    expect(toTransaction(other).committedUntil).toBeUndefined();
  }
});

test('a year that is billed by month is shown until its end, and renews as its customer wants', async () => {
  const app = await service.app();
  const hooks = { url: 'https://example.com/hooks', events: ['subscription.canceled.v1'] };
  await service.call('/v1/webhooks', { headers: app.org.key, body: hooks });
  const start = clock.now - 70 * DAY;
  const commitmentExpiresDate = start + 365 * DAY;
  const commitmentInfo = (billingPeriodNumber: number) => ({
    ...{ billingPeriodNumber, totalBillingPeriods: 12, commitmentExpiresDate },
    commitmentPrice: 119_880,
  });
  const subscription = buy(app, start, {
    productId: 'pro.yearly',
    terms: { billingPlanType: 'MONTHLY', commitmentInfo: commitmentInfo(1) },
  });
  for (const month of [2, 3]) {
    subscription.terms = { ...subscription.terms, commitmentInfo: commitmentInfo(month) };
    subscription.act('renew');
  }
  const wants = (commitmentAutoRenewStatus: 0 | 1) => {
    const told = subscription.told.at(-1)!;
    subscription.told.push({
      ...told,
      ...{ type: 'DID_CHANGE_RENEWAL_STATUS', uuid: crypto.randomUUID() },
      signedDate: clock.now - DAY,
      renewal: {
        ...told.renewal,
        signedDate: clock.now - DAY,
        renewalBillingPlanType: 'MONTHLY',
        commitmentInfo: { commitmentAutoRenewStatus, commitmentRenewalDate: commitmentExpiresDate },
      },
    });
  };
  wants(0);
  for (const told of subscription.told) await service.deliver(subscription, told, app);
  const { originalTransactionId } = subscription;
  const asked = async (path: string) => {
    const headers = app.org.key;
    return (await service.call(`/v1/apps/${app.appId}/purchases/${path}`, { headers })).body;
  };
  const committed = {
    committedUntil: new Date(commitmentExpiresDate).toISOString(),
    expiresAt: new Date(subscription.newest.expiresDate!).toISOString(),
    willRenew: false,
    status: 'active',
  };
  const query = `entitlement?originalTransactionId=${originalTransactionId}`;
  expect(await asked(query)).toMatchObject({ entitled: true, ...committed });
  expect((await asked('customers')).customers).toMatchObject([committed]);
  expect(await asked('overview')).toMatchObject({ active: 1, mrrMinor: 999, willNotRenew: 1 });
  for await (const rows of readRecords(deps.sql, 'subscriptions', app.org.orgId)) {
    expect(rows).toMatchObject([{ committed_until: committed.committedUntil, will_renew: false }]);
  }
  const told = await deps.sql`SELECT 1 FROM webhook_deliveries WHERE org_id = ${app.org.orgId}`;
  expect(told).toHaveLength(1);
  // The next month is charged all the same: it may have come and not been told yet.
  const before = clock.now;
  clock.now = subscription.newest.expiresDate! + 60_000;
  expect(await asked(query)).toMatchObject({ entitled: true, status: 'active' });
  clock.now = before;
});
