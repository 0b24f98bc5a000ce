import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Environment, SignedDataVerifier } from '@apple/app-store-server-library';
import { readRecords } from '../../../src/sql/queries.ts';
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

/** What Apple's own library is tested with, in another environment. */
const vector = (name: string): object => ({
  ...JSON.parse(readFileSync(`test/fixtures/app-store-server-library/${name}.json`, 'utf8')),
  environment: 'Production',
});
const VECTOR = {
  transaction: vector('signedTransaction'),
  renewal: vector('signedRenewalInfo'),
};

test("a commitment is read as the store's own examples have it", () => {
  const transaction = transactionPayload.parse(VECTOR.transaction);
  expect(toTransaction(transaction)).toMatchObject({
    committedUntil: 1698150000000,
    commitmentPeriod: { number: 3, total: 12 },
  });
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

test('a period that the library refuses costs the period alone, not the transaction', async () => {
  const { pki } = service.store;
  const library = new SignedDataVerifier(
    [pki.rootDer],
    ...([false, Environment.PRODUCTION, 'com.example', 1] as const),
  );
  const info = (given: object) => ({
    ...VECTOR.transaction,
    ...{ signedDate: Date.now(), revocationDate: undefined, isUpgraded: false },
    commitmentInfo: {
      ...{ billingPeriodNumber: 3, totalBillingPeriods: 12 },
      ...{ commitmentExpiresDate: 1698150000000, commitmentPrice: 119880, ...given },
    },
  });
  const read = async (given: object) => {
    const { snapshot } = await deps.signatures.transaction(service.store.sign(info(given)));
    return [snapshot.committedUntil, snapshot.commitmentPeriod];
  };
  const isRefused = async (given: object) => {
    const jws = service.store.sign(info(given));
    return library.verifyAndDecodeTransaction(jws).then(
      () => false,
      () => true,
    );
  };
  expect(await isRefused({})).toBe(false);
  expect(await read({ billingPeriodNumber: 12 })).toEqual([
    ...[1698150000000, { number: 12, total: 12 }],
  ]);
  expect(await isRefused({ billingPeriodNumber: 13 })).toBe(true);
  for (const odd of [13, 0, 1.5, 'x', null]) {
    expect(await read({ billingPeriodNumber: odd })).toEqual([1698150000000, undefined]);
  }
  expect(await read({ billingPeriodNumber: 13, totalBillingPeriods: 24 })).toEqual([
    ...[1698150000000, { number: 13, total: 24 }],
  ]);
});

test('a month that fails ends access at once, and an earlier one that is refunded does not', async () => {
  const app = await service.app();
  const hooks = { url: 'https://example.com/hooks', events: ['subscription.expired.v1'] };
  await service.call('/v1/webhooks', { headers: app.org.key, body: hooks });
  const subscription = buy(app, clock.now - 70 * DAY, {
    ...{ productId: 'pro.yearly', commitmentPeriods: 12, periodMonths: 1 },
  });
  for (const _ of [2, 3]) subscription.act('renew');
  subscription.act('refundEarlier');
  for (const told of subscription.told) await service.deliver(subscription, told, app);
  const { originalTransactionId } = subscription;
  const asked = async () => {
    const path = `/v1/apps/${app.appId}/purchases`;
    const query = `entitlement?originalTransactionId=${originalTransactionId}`;
    const headers = app.org.key;
    const [{ body }, overview] = [
      await service.call(`${path}/${query}`, { headers }),
      await service.call(`${path}/overview`, { headers }),
    ];
    return { ...body, mrrMinor: overview.body.mrrMinor };
  };
  const third = { commitmentPeriod: { number: 3, total: 12 }, mrrMinor: 999 };
  expect(await asked()).toMatchObject({ entitled: true, status: 'active', ...third });

  const before = clock.now;
  const already = subscription.told.length;
  subscription.act('failIntoRetry');
  clock.now = subscription.now;
  for (const told of subscription.told.slice(already)) {
    await service.deliver(subscription, told, app);
  }
  expect(await asked()).toMatchObject({ entitled: false, status: 'billing_retry', mrrMinor: 0 });
  clock.now = subscription.newest.expiresDate! + 89 * DAY;
  expect(await asked()).toMatchObject({ entitled: false, status: 'billing_retry' });
  clock.now = subscription.newest.expiresDate! + 91 * DAY;
  expect(await asked()).toMatchObject({ entitled: false, status: 'expired' });
  clock.now = before;
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
    commitmentPeriod: { number: 3, total: 12 },
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
