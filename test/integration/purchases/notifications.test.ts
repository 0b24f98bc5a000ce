import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { countTrials } from '../../../src/modules/purchases/ledger/facts-queries.ts';
import { expireNotifications, removePurchases } from '../../../src/modules/purchases/retention.ts';
import {
  NOTIFICATION_TYPES,
  notificationPayload,
  transactionPayload,
} from '../../simulators/store-server/payloads.ts';
import { base64url, createPki, signJws } from '../../simulators/store-server/pki.ts';
import { ACTIONS } from '../../simulators/store-server/subscription.ts';
import { deleteRowsOfApp } from '../../support/app-rows.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { store, clock, deps } = service;

const send = (signedPayload: unknown) =>
  service.call('/v1/purchases/notifications', { body: { signedPayload } });

const entitlement = (app: PurchaseApp, query: Record<string, string>) =>
  service.call(`/v1/purchases/entitlement?${new URLSearchParams(query)}`, { headers: app.device });

const about = (app: PurchaseApp, environment = 'Production') => ({
  bundleId: app.bundleId,
  bundleVersion: '1',
  environment,
  ...(environment === 'Production' ? { appAppleId: Number(app.storeAppId) } : {}),
});

const appliedTo = async (app: PurchaseApp) => {
  const [row] = await deps.sql<{ count: number }[]>`
    SELECT count(*) AS count FROM purchase_notification_apps WHERE app_id = ${app.appId}`;
  return row?.count;
};

describe('a notification', () => {
  test('is stored, answered, and applied once however often it comes', async () => {
    const app = await service.app();
    const subscription = buy(app, clock.now - DAY, { appAccountToken: crypto.randomUUID() });
    const signed = service.signed(subscription, subscription.told[0]!, app);
    for (let time = 0; time < 3; time += 1) {
      const answer = await send(signed);
      expect([answer.status, answer.body]).toEqual([200, { received: true }]);
      await service.applyAll();
    }
    expect(await appliedTo(app)).toBe(1);
    const appAccountToken = subscription.options.appAccountToken!;
    const { body } = await entitlement(app, { appAccountToken });
    expect(body).toMatchObject({ status: 'active', willRenew: true });
  });

  test('of a bundle id that nobody has yet is asked for again', async () => {
    const data = { bundleId: 'com.nobody.here', bundleVersion: '1', environment: 'Sandbox' };
    const signed = store.sign(notificationPayload({ notificationType: 'TEST', data }));
    expect((await send(signed)).status).toBe(503);
  });

  test('of another store app under the same bundle id is none of this one in production', async () => {
    const app = await service.app();
    const data = { ...about(app), appAppleId: 1 };
    const signed = store.sign(notificationPayload({ notificationType: 'TEST', data }));
    expect((await send(signed)).status).toBe(503);
  });

  test('is applied to every organization with that bundle id, separately', async () => {
    const bundleId = `com.example.both${clock.now}`;
    const [one, two] = [
      await service.app(undefined, bundleId),
      await service.app(undefined, bundleId),
    ];
    const subscription = buy(one, clock.now - DAY);
    await service.deliver(subscription, subscription.told[0]!, one);
    const { originalTransactionId } = subscription;
    for (const app of [one, two]) {
      expect((await entitlement(app, { originalTransactionId })).body.status).toBe('active');
    }
    const late = await service.app(undefined, bundleId);
    expect((await entitlement(late, { originalTransactionId })).body.status).toBe('none');
    await service.deliver(subscription, subscription.told[0]!, one);
    expect((await entitlement(late, { originalTransactionId })).body.status).toBe('active');
    expect(await appliedTo(one)).toBe(1);
  });

  test('with a fault in its signature is 401', async () => {
    const app = await service.app();
    const payload = notificationPayload({ notificationType: 'TEST', data: about(app) });
    const other = await createPki();
    const whole = store.sign(payload);
    const expired = await store.pki.renewed({ notAfter: new Date(Date.now() - DAY) });
    const hs256 = base64url({ alg: 'HS256', x5c: store.pki.x5c });
    const wrong = [
      signJws(other, payload),
      signJws(await store.pki.renewed({ intermediateMarker: '1.2.3.4' }), payload),
      signJws(expired, payload),
      `${base64url({ alg: 'none', x5c: store.pki.x5c })}.${base64url(payload)}.`,
      `${hs256}.${base64url(payload)}.${base64url('mac')}`,
      signJws(store.pki, payload, { encoding: 'der' }),
      signJws(store.pki, payload, { header: { x5c: store.pki.x5c.slice(0, 2) } }),
      whole.slice(0, -9),
      store.sign({ ...payload, data: { ...payload.data, environment: 'Xcode' } }),
      store.sign({ ...payload, data: { ...payload.data, environment: 'LocalTesting' } }),
    ];
    for (const signed of wrong) {
      const answer = await send(signed);
      expect([answer.status, answer.body.error.code]).toEqual([401, 'invalid_signature']);
    }
    expect(await appliedTo(app)).toBe(0);
  });

  test('with a transaction of another app or environment inside changes nothing', async () => {
    const [app, other] = [await service.app(), await service.app()];
    const foreign = transactionPayload({ bundleId: other.bundleId });
    const elsewhere = transactionPayload({ bundleId: app.bundleId, environment: 'Sandbox' });
    for (const transaction of [foreign, elsewhere]) {
      const data = { ...about(app), signedTransactionInfo: store.sign(transaction), status: 1 };
      const payload = notificationPayload({ notificationType: 'SUBSCRIBED', data });
      expect((await send(store.sign(payload))).status).toBe(200);
      await service.applyAll();
      const { originalTransactionId } = transaction;
      for (const one of [app, other]) {
        expect((await entitlement(one, { originalTransactionId })).body.status).toBe('none');
      }
      const [row] = await deps.sql`
        SELECT applied_at, last_error FROM purchase_notifications
        WHERE notification_id = ${payload.notificationUUID}`;
      expect(row?.last_error).toContain('refused');
    }
  });

  const kinds = Object.entries(NOTIFICATION_TYPES).flatMap(([type, subtypes]) =>
    subtypes.map((subtype) => [type, subtype] as const),
  );

  test.each(kinds)(
    'of type %s %s is taken, with a transaction or without',
    async (type, subtype) => {
      const app = await service.app();
      const subscription = buy(app, clock.now - DAY);
      const { transaction, renewal, status } = subscription.answer();
      const full = {
        ...about(app),
        signedTransactionInfo: store.sign(transaction),
        signedRenewalInfo: store.sign(renewal),
        status,
      };
      for (const data of [about(app), full]) {
        const payload = notificationPayload({
          notificationType: type,
          ...(subtype === null ? {} : { subtype }),
          data,
        });
        expect((await send(store.sign(payload))).status).toBe(200);
      }
      await service.applyAll();
      expect(await appliedTo(app)).toBe(2);
      const { originalTransactionId } = subscription;
      expect((await entitlement(app, { originalTransactionId })).body.status).toBe('active');
    },
  );

  test('about no transaction is taken: a summary, a token of another shop, a new type', async () => {
    const app = await service.app();
    const reference = about(app);
    const payloads = [
      { notificationType: 'RENEWAL_EXTENSION', subtype: 'SUMMARY', summary: reference },
      { notificationType: 'RESCIND_CONSENT', appData: reference },
      {
        notificationType: 'EXTERNAL_PURCHASE_TOKEN',
        subtype: 'UNREPORTED',
        externalPurchaseToken: {
          externalPurchaseId: 'SANDBOX_1',
          bundleId: app.bundleId,
          tokenCreationDate: clock.now,
        },
      },
      { notificationType: 'SOMETHING_NEW', data: reference },
    ];
    for (const payload of payloads) {
      expect((await send(store.sign(notificationPayload(payload)))).status).toBe(200);
    }
    await service.applyAll();
    expect(await appliedTo(app)).toBe(payloads.length);
  });

  test('ten thousand random bytes and odd bodies are never a 5xx', async () => {
    const bytes = Buffer.from(
      fc.sample(fc.uint8Array({ minLength: 10_000, maxLength: 10_000 }), 1)[0]!,
    );
    const raw = [bytes.toString('latin1'), '{"signedPayload":', 'null', '[]', '{}', '""', '\u0000'];
    for (const rawBody of raw) {
      const answer = await service.call('/v1/purchases/notifications', { rawBody });
      expect(answer.status).toBe(400);
    }
    for (const signedPayload of [bytes.toString('base64'), bytes.toString('latin1'), 5, null, {}]) {
      expect([400, 401]).toContain((await send(signedPayload)).status);
    }
  });
});

describe('trials', () => {
  test('their start and their first paid period are kept', async () => {
    const app = await service.app();
    const scope = {
      orgId: app.org.orgId,
      appId: app.appId,
      store: 'app_store' as const,
      from: new Date(clock.now - 90 * DAY),
      to: new Date(clock.now + 90 * DAY),
    };
    const trial = buy(app, clock.now - 40 * DAY, { trial: true });
    await service.deliver(trial, trial.told[0]!, app);
    expect(await countTrials(deps.sql, scope)).toEqual({ started: 1, converted: 0 });
    trial.renew();
    await service.deliver(trial, trial.told[1]!, app);
    await service.deliver(trial, trial.told[1]!, app);
    expect(await countTrials(deps.sql, scope)).toEqual({ started: 1, converted: 1 });
    for (const options of [{ environment: 'Sandbox' as const }, { family: true }]) {
      const other = buy(app, clock.now - DAY, { ...options, trial: true });
      await service.deliver(other, other.told[0]!, app);
    }
    expect(await countTrials(deps.sql, scope)).toEqual({ started: 1, converted: 1 });
  });
});

describe('raw notifications', () => {
  const rawOf = async (uuid: string) =>
    (await deps.sql`SELECT 1 FROM purchase_notifications WHERE notification_id = ${uuid}`).length;

  test('go when every app that took them in is past its retention', async () => {
    const bundleId = `com.example.kept${clock.now}`;
    const [app, longer] = [
      await service.app(undefined, bundleId),
      await service.app(undefined, bundleId),
    ];
    await deps.sql`
      UPDATE app_datasets SET notification_retention_days = 500 WHERE app_id = ${longer.appId}`;
    const subscription = buy(app, clock.now - DAY);
    const [told] = subscription.told;
    await service.deliver(subscription, told!, app);
    const after = async (days: number) => {
      const later = () => new Date(clock.now + days * DAY);
      while ((await expireNotifications({ sql: deps.sql, clock: later })) > 0);
    };
    await after(399);
    expect(await appliedTo(app)).toBe(1);
    await after(401);
    expect([await appliedTo(app), await appliedTo(longer), await rawOf(told!.uuid)]).toEqual([
      0, 1, 1,
    ]);
    await after(501);
    expect([await appliedTo(longer), await rawOf(told!.uuid)]).toEqual([0, 0]);
    const { originalTransactionId } = subscription;
    expect((await entitlement(app, { originalTransactionId })).body.status).toBe('active');
  });

  test('and everything else go with their app, but not what another app has', async () => {
    const bundleId = `com.example.deleted${clock.now}`;
    const [app, other] = [
      await service.app(undefined, bundleId),
      await service.app(undefined, bundleId),
    ];
    const subscription = buy(app, clock.now - DAY);
    const [told] = subscription.told;
    await service.deliver(subscription, told!, app);
    const { originalTransactionId } = subscription;
    await removePurchases({ deps }, { orgId: app.org.orgId, appId: app.appId });
    await deleteRowsOfApp(deps, { orgId: app.org.orgId, appId: app.appId });
    const chains = await deps.sql`SELECT 1 FROM purchase_chains WHERE app_id = ${app.appId}`;
    expect(chains).toHaveLength(0);
    expect((await entitlement(other, { originalTransactionId })).body.status).toBe('active');
    expect([await appliedTo(app), await appliedTo(other), await rawOf(told!.uuid)]).toEqual([
      0, 1, 1,
    ]);
    await removePurchases({ deps }, { orgId: other.org.orgId, appId: other.appId });
    await deleteRowsOfApp(deps, { orgId: other.org.orgId, appId: other.appId });
    expect(await rawOf(told!.uuid)).toBe(0);
  });
});

describe('a random life of a subscription through the tables', () => {
  const steps = fc.array(
    fc.record({
      action: fc.constantFrom(...ACTIONS),
      wait: fc.double({ min: 0, max: 0.9, noNaN: true }),
    }),
    { maxLength: 12 },
  );

  test('ends in the true entitlement in both environments, shuffled and repeated', async () => {
    const app = await service.app();
    await fc.assert(
      fc.asyncProperty(steps, fc.infiniteStream(fc.nat()), async (given, random) => {
        const environments = ['Production', 'Sandbox'] as const;
        for (const environment of environments) {
          const subscription = buy(app, Date.UTC(2026, 0, 1), { environment });
          for (const { action, wait } of given) {
            subscription.wait(wait);
            subscription.act(action);
          }
          const order = [...subscription.told, ...subscription.told]
            .map((told) => ({ told, at: random.next().value as number }))
            .toSorted((a, b) => a.at - b.at);
          for (const { told } of order) await service.deliver(subscription, told, app);
          clock.now = Math.min(subscription.now, subscription.lastsUntil - 1);
          const truth = subscription.truth();
          const { body } = await entitlement(app, {
            originalTransactionId: subscription.originalTransactionId,
            environment,
          });
          expect(body).toMatchObject({
            status: truth.status,
            productId: truth.productId,
            expiresAt: new Date(truth.expiresAt).toISOString(),
            willRenew: truth.willRenew,
          });
        }
      }),
      { numRuns: 25 },
    );
    clock.now = Date.now();
  });
});
