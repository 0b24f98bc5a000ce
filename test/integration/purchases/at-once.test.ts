import { expect, test } from 'bun:test';
import { notificationPayload, transactionPayload } from '../../simulators/store-server/payloads.ts';
import { testDatabase } from '../../support/postgres.ts';
import {
  buy,
  PURCHASE_KEY,
  type PurchaseApp,
  startPurchaseService,
} from '../../support/purchase-service.ts';

const service = await startPurchaseService(await testDatabase());
const { store, clock, deps } = service;
const TIMES = 20;

const atOnce = <T>(ask: (turn: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: TIMES }, (_, turn) => ask(turn)));

const rows = async (table: string, app: PurchaseApp) => {
  const [row] = await deps.sql<{ count: number }[]>`
    SELECT count(*) AS count FROM ${deps.sql(table)} WHERE app_id = ${app.appId}`;
  return row?.count;
};

test('twenty connections of one key are one connection', async () => {
  const app = await service.app();
  const answers = await atOnce(() =>
    service.call('/v1/purchases/connection', {
      method: 'PUT',
      headers: app.org.key,
      body: PURCHASE_KEY,
    }),
  );
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
});

test('one transaction that one person hands over twenty times is one purchase', async () => {
  const app = await service.app();
  const signedTransaction = store.sign(buy(app, clock.now).newest);
  const answers = await atOnce(() =>
    service.call('/v1/purchases/verify', {
      headers: app.device,
      body: { signedTransaction, userId: 'u1', anonymousId: 'anonymous-1' },
    }),
  );
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.body).toMatchObject({ entitled: true, status: 'active' });
  expect(await rows('purchase_chains', app)).toBe(1);
  expect(await rows('purchase_audit', app)).toBe(1);
});

test('one transaction that twenty people hand over belongs to one of them, after three moves at most', async () => {
  const app = await service.app();
  const signedTransaction = store.sign(buy(app, clock.now).newest);
  const answers = await atOnce((turn) =>
    service.call('/v1/purchases/verify', {
      headers: app.device,
      body: { signedTransaction, userId: `u${turn}` },
    }),
  );
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([...Array(4).fill(200), ...Array(16).fill(429)]);
  expect(await rows('purchase_links', app)).toBe(1);
});

test('transactions of one chain that come at once are all kept', async () => {
  const app = await service.app();
  const subscription = buy(app, clock.now - TIMES * 30 * 86_400_000);
  for (let month = 1; month < TIMES; month += 1) subscription.renew();
  const answers = await atOnce((turn) =>
    service.call('/v1/purchases/verify', {
      headers: app.device,
      body: { signedTransaction: store.sign(subscription.periods[turn]), userId: 'u1' },
    }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await rows('purchase_transactions', app)).toBe(TIMES);
});

test('a notification that is sent twenty times is stored and applied once', async () => {
  const app = await service.app();
  const data = {
    bundleId: app.bundleId,
    bundleVersion: '1',
    environment: 'Sandbox',
    status: 1,
    signedTransactionInfo: store.sign(
      transactionPayload({ bundleId: app.bundleId, environment: 'Sandbox' }),
    ),
  };
  const signedPayload = store.sign(notificationPayload({ notificationType: 'SUBSCRIBED', data }));
  const answers = await atOnce(() =>
    service.call('/v1/purchases/notifications', { body: { signedPayload } }),
  );
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    Array(TIMES).fill([200, { received: true }]),
  );
  await atOnce(() => service.applyAll());
  expect(await rows('purchase_notification_apps', app)).toBe(1);
  expect(await rows('purchase_chains', app)).toBe(1);
});

test('forwarding that is switched on twenty times has one secret', async () => {
  const app = await service.app();
  const answers = await atOnce(() =>
    service.call(`/v1/apps/${app.appId}/purchases/settings`, {
      method: 'PATCH',
      headers: app.org.key,
      body: { forwardUrl: 'https://hooks.example.com/store' },
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(TIMES).fill(200));
  expect(answers.filter(({ body }) => body.forwardSecret !== undefined)).toHaveLength(1);
});
