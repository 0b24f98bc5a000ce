import { describe, expect, test } from 'bun:test';
import { RECORDS } from '../../../src/sql/queries.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;
const service = await startPurchaseService(await testDatabase());
const { clock, store } = service;
const iso = (ms: number) => new Date(ms).toISOString();
const dayOf = (ms: number) => iso(ms).slice(0, 10);

const recent = (app: PurchaseApp, query = '', headers: Record<string, string> = app.org.key) =>
  service.call(`/v1/apps/${app.appId}/purchases/recent${query}`, { headers });

type Options = Parameters<typeof buy>[2] & { ago: number };

/** A subscription of so long ago, which the store has told of. */
async function bought(app: PurchaseApp, { ago, ...options }: Options) {
  const subscription = buy(app, clock.now - ago, options);
  await service.deliver(subscription, subscription.told.at(-1)!, app);
  return subscription;
}

async function then(app: PurchaseApp, one: ReturnType<typeof buy>, ...acts: string[]) {
  for (const act of acts) {
    expect(one.act(act as Parameters<typeof one.act>[0])).toBe(true);
    await service.deliver(one, one.told.at(-1)!, app);
  }
}

describe('what came since yesterday', () => {
  test('are new subscribers, refunds and failed payments, newest first, with their amounts', async () => {
    const app = await service.app();
    const periodMs = 2 * DAY;
    const failing = await bought(app, { ago: periodMs + 2 * HOUR, periodMs });
    await then(app, failing, 'failIntoGrace');
    const refunded = await bought(app, {
      ago: 3 * DAY,
      terms: { price: 10_000, revocationPercentage: 40_000 },
    });
    refunded.now = clock.now - 3 * HOUR;
    await then(app, refunded, 'refund');
    const subscriber = await bought(app, { ago: 4 * HOUR });
    const trial = await bought(app, { ago: 5 * HOUR, trial: true });
    const verified = await service.call('/v1/purchases/verify', {
      headers: app.device,
      body: { signedTransaction: store.sign(subscriber.newest), userId: 'u1' },
    });
    expect(verified.status).toBe(200);
    // Older, renewed, of a family, and of the sandbox.
    const renewed = await bought(app, { ago: periodMs + HOUR, periodMs });
    await then(app, renewed, 'renew');
    const shared = await bought(app, { ago: HOUR, family: true });
    await then(app, shared, 'revokeShare');
    const views = await service.deps.sql.unsafe(RECORDS.purchases, [app.org.orgId]);
    const isRefunded = (one: typeof trial) =>
      views.find((row) => row.transaction_id === one.newest.transactionId)?.refunded_at ?? null;
    expect([isRefunded(shared), isRefunded(refunded)]).toEqual([
      null,
      iso(refunded.newest.revocationDate!),
    ]);
    const tester = await bought(app, { ago: HOUR, environment: 'Sandbox' });

    const { status, body } = await recent(app);
    expect(status).toBe(200);
    expect(body).toMatchObject({ since: iso(clock.now - DAY), until: iso(clock.now), more: 0 });
    const failedAt = failing.newest.expiresDate!;
    const grace = dayOf(failing.told.at(-1)!.renewal.gracePeriodExpiresDate!);
    const until = (one: typeof trial) => dayOf(one.newest.expiresDate!);
    expect(body.changes).toEqual([
      {
        at: iso(failedAt),
        kind: 'payment_failed',
        sentence: `The payment for pro.monthly failed; the store keeps trying, with access until ${grace}.`,
        productId: 'pro.monthly',
        customerId: failing.originalTransactionId,
        originalTransactionId: failing.originalTransactionId,
        amountMinor: 999,
        currency: 'USD',
        graceExpiresAt: iso(failing.told.at(-1)!.renewal.gracePeriodExpiresDate!),
      },
      {
        at: iso(refunded.newest.revocationDate!),
        kind: 'refunded',
        sentence: `The store refunded what was bought on ${dayOf(clock.now - 3 * DAY)}: pro.monthly.`,
        productId: 'pro.monthly',
        customerId: refunded.originalTransactionId,
        originalTransactionId: refunded.originalTransactionId,
        amountMinor: 400,
        currency: 'USD',
        graceExpiresAt: null,
      },
      {
        at: iso(clock.now - 4 * HOUR),
        kind: 'bought',
        sentence: `Bought pro.monthly for 9.99 USD until ${until(subscriber)}.`,
        productId: 'pro.monthly',
        customerId: 'u1',
        originalTransactionId: subscriber.originalTransactionId,
        amountMinor: 999,
        currency: 'USD',
        graceExpiresAt: null,
      },
      {
        at: iso(clock.now - 5 * HOUR),
        kind: 'trial_started',
        sentence: `Began the free trial of pro.monthly for nothing until ${until(trial)}.`,
        productId: 'pro.monthly',
        customerId: trial.originalTransactionId,
        originalTransactionId: trial.originalTransactionId,
        amountMinor: 0,
        currency: 'USD',
        graceExpiresAt: null,
      },
    ]);
    const usd = (amountMinor: number) => [{ currency: 'USD', amountMinor }];
    expect(body.totals).toEqual([
      { kind: 'bought', count: 1, amounts: usd(999), withoutPrice: 0 },
      { kind: 'payment_failed', count: 1, amounts: usd(999), withoutPrice: 0 },
      { kind: 'refunded', count: 1, amounts: usd(400), withoutPrice: 0 },
      { kind: 'trial_started', count: 1, amounts: usd(0), withoutPrice: 0 },
    ]);
    const sandbox = (await recent(app, '?environment=Sandbox')).body;
    expect(sandbox.changes).toMatchObject([
      { kind: 'bought', originalTransactionId: tester.originalTransactionId },
    ]);
  });

  test('adds up each currency in its own minor units, also beyond the limit', async () => {
    const app = await service.app();
    await bought(app, { ago: HOUR, terms: { currency: 'JPY', price: 1_500_000 } });
    await bought(app, { ago: 2 * HOUR, terms: { currency: 'EUR', price: 10_990 } });
    await bought(app, { ago: 3 * HOUR, terms: { currency: 'EUR', price: 10_990 } });
    const { body } = await recent(app, '?limit=1');
    expect(body.changes).toMatchObject([{ amountMinor: 1_500, currency: 'JPY' }]);
    expect(body.more).toBe(2);
    expect(body.totals).toEqual([
      {
        kind: 'bought',
        count: 3,
        amounts: [
          { currency: 'EUR', amountMinor: 2_198 },
          { currency: 'JPY', amountMinor: 1_500 },
        ],
        withoutPrice: 0,
      },
    ]);
  });

  test('tells of a failed payment once, however often the store repeats it', async () => {
    const app = await service.app();
    const periodMs = 20 * DAY;
    const one = await bought(app, { ago: 23 * DAY, periodMs });
    await then(app, one, 'failIntoRetry');
    one.now = clock.now - HOUR;
    const told = { ...one.told.at(-1)!, ...one.answer(), signedDate: one.now };
    await service.deliver(one, { ...told, uuid: crypto.randomUUID() }, app);
    expect((await recent(app)).body.changes).toEqual([]);
    const week = (await recent(app, `?since=${iso(clock.now - 7 * DAY)}`)).body;
    expect(week.changes).toMatchObject([
      { kind: 'payment_failed', at: iso(one.newest.expiresDate!), graceExpiresAt: null },
    ]);
    expect(week.changes[0].sentence).toContain('without access meanwhile');
  });

  test('begins at most 31 days ago, not in the future', async () => {
    const app = await service.app();
    const since = (ms: number) => recent(app, `?since=${iso(ms)}`);
    expect((await since(clock.now - 31 * DAY)).body).toMatchObject({ changes: [], totals: [] });
    for (const ms of [clock.now - 31 * DAY - 1, clock.now + 1]) {
      const { status, body } = await since(ms);
      expect([status, body.error.code]).toEqual([400, 'invalid_input']);
      expect(JSON.stringify(body.error)).toContain('since');
    }
    expect((await recent(app, '?since=yesterday')).status).toBe(400);
  });

  test('is of the organization whose app it is', async () => {
    const app = await service.app();
    const other = await service.app();
    await bought(app, { ago: HOUR });
    expect((await recent(app, '', other.org.key)).status).toBe(404);
    expect((await recent(other)).body.changes).toEqual([]);
  });
});
