import { describe, expect, test } from 'bun:test';
import { Environment, SignedDataVerifier } from '@apple/app-store-server-library';
import fc from 'fast-check';
import { readCustomersOfTexts } from '../../../src/modules/purchases/app-store/notices/notices.ts';
import { reconcileAppStore } from '../../../src/modules/purchases/app-store/reconcile.ts';
import { removePurchases } from '../../../src/modules/purchases/retention.ts';
import {
  type AppOfNotice,
  appTransactionPayload,
  nextAppTransactionId,
  rescindConsent,
  unreportedToken,
} from '../../simulators/store-server/notices.ts';
import type {
  NotificationPayload,
  SimEnvironment,
} from '../../simulators/store-server/payloads.ts';
import { createPki, signJws } from '../../simulators/store-server/pki.ts';
import { deleteRowsOfApp } from '../../support/app-rows.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';
import { startTestQueries } from '../../support/queries.ts';
import { createTestKey } from '../../support/service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { store, clock, deps, call } = service;
await startTestQueries(deps);

const aboutApp = (app: PurchaseApp, environment: SimEnvironment = 'Production'): AppOfNotice => ({
  ...{ environment, bundleId: app.bundleId, appAppleId: Number(app.storeAppId) },
});

function consentOf(app: PurchaseApp, customer: string, environment?: SimEnvironment) {
  const about = aboutApp(app, environment);
  const inner = store.sign(appTransactionPayload(about, customer, clock.now));
  return rescindConsent(about, inner, clock.now);
}

async function send(payload: NotificationPayload) {
  const signedPayload = store.sign(payload);
  const { status } = await call('/v1/purchases/notifications', { body: { signedPayload } });
  expect(status).toBe(200);
  await service.applyAll();
}

const get = async (app: PurchaseApp, path: string) =>
  (await call(`/v1/apps/${app.appId}${path}`, { headers: app.org.key })).body;
const notices = async (app: PurchaseApp, query = '') =>
  (await get(app, `/purchases/notices${query}`)).notices;
const resolve = (app: PurchaseApp, id: string, resolved = true, headers = app.org.key) =>
  call(`/v1/apps/${app.appId}/purchases/notices/${id}`, {
    method: 'PUT',
    headers,
    body: { resolved },
  });
const worthALook = async (app: PurchaseApp) =>
  (await get(app, '/insights')).recommendations
    .map(({ code, metric }: { code: string; metric: { value: number } }) => [code, metric.value])
    .filter(([code]: [string]) => /consent|token/.test(code));
const history = async (app: PurchaseApp, customerId: string) =>
  (await get(app, `/purchases/customer?customerId=${customerId}`)).history;
const consents = async (app: PurchaseApp, customerId: string) =>
  (await history(app, customerId)).filter(
    ({ kind }: { kind: string }) => kind === 'consent_rescinded',
  );

const rows = async (table: 'messages' | 'webhook_deliveries', { org }: PurchaseApp) =>
  deps.sql`SELECT * FROM ${deps.sql(table)} WHERE org_id = ${org.orgId}`;

async function subscribed() {
  const app = await service.app();
  const events = ['consent.rescinded.v1', 'external_purchase.token_received.v1'];
  const body = { url: 'https://example.com/hooks', events };
  const made = await call('/v1/webhooks', { headers: app.org.key, body });
  expect(made.status).toBe(201);
  const settings = { alerts: true, subscribers: false, refunds: false, billingProblems: false };
  await call('/v1/digests/messages', {
    method: 'PUT',
    headers: app.org.key,
    body: { ...settings, quietHours: null },
  });
  return app;
}

const deliveries = async (app: PurchaseApp) =>
  (await rows('webhook_deliveries', app)).map(({ body }) => JSON.parse(body));

async function handOver(app: PurchaseApp, customer: string, userId: string) {
  const terms = { appTransactionId: customer };
  const subscription = buy(app, clock.now - DAY, { terms });
  const { status } = await call('/v1/purchases/verify', {
    headers: app.device,
    body: { signedTransaction: store.sign(subscription.newest), userId },
  });
  expect(status).toBe(200);
}

describe('a consent taken back', () => {
  test('is verified and shown once, until somebody dealt with it', async () => {
    const app = await subscribed();
    const customer = nextAppTransactionId();
    await handOver(app, customer, 'ada');
    await handOver(app, customer, 'ada');
    await handOver(app, nextAppTransactionId(), 'bob');
    const payload = consentOf(app, customer);
    for (let time = 0; time < 3; time += 1) await send(payload);

    const at = new Date(clock.now).toISOString();
    const [notice, ...more] = await notices(app);
    expect(more).toEqual([]);
    expect(notice).toEqual({
      ...{ id: payload.notificationUUID, environment: 'Production', kind: 'consent_rescinded' },
      ...{ reason: null, appTransactionId: customer, externalPurchaseId: null },
      ...{ tokenCreatedAt: null, userIds: ['ada'], anonymousIds: [] },
      ...{ notifiedAt: at, receivedAt: at, resolvedAt: null },
    });
    const told = await deliveries(app);
    expect(told).toEqual([
      {
        type: 'consent.rescinded.v1',
        id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        timestamp: at,
        data: {
          ...{ appId: app.appId, store: 'app_store', noticeId: notice.id },
          ...{ environment: 'Production', reason: null, appTransactionId: customer },
          ...{ externalPurchaseId: null, tokenCreatedAt: null },
          ...{ userIds: ['ada'], anonymousIds: [], occurredAt: at },
        },
      },
    ]);
    const [message, ...others] = await rows('messages', app);
    expect(others).toEqual([]);
    expect(message).toMatchObject({ kind: 'alert', message_id: told[0].id });
    expect(message?.text).toStartWith('A parent or guardian withdrew consent');
    expect(await consents(app, 'ada')).toEqual([
      {
        ...{ at, kind: 'consent_rescinded', productId: null, originalTransactionId: null },
        sentence: 'A parent or guardian withdrew consent to the use of the app.',
      },
    ]);
    expect(await consents(app, 'bob')).toEqual([]);
    expect(await worthALook(app)).toEqual([['consent_rescinded', 1]]);

    const resolved = await resolve(app, notice.id);
    expect([resolved.status, resolved.body.resolvedAt]).toEqual([200, at]);
    expect(await worthALook(app)).toEqual([]);
    await send(payload);
    expect(await worthALook(app)).toEqual([]);
    expect([(await notices(app, '?state=open')).length, (await deliveries(app)).length]).toEqual([
      0, 1,
    ]);
    expect((await consents(app, 'ada')).length).toBe(1);
    const { entries } = (await call('/v1/audit', { headers: app.org.key })).body;
    expect(entries[0]).toMatchObject({ operation: 'resolveStoreNotice', appId: app.appId });
    expect(entries[0].changes[0]).toMatchObject({
      of: 'purchase_notices',
      // Without trailing zeros, as PostgreSQL writes JSON.
      after: { resolved_at: at.replace(/\.?0*Z$/, '+00:00') },
    });
    expect((await resolve(app, notice.id, false)).body.resolvedAt).toBeNull();
    expect(await worthALook(app)).toEqual([['consent_rescinded', 1]]);
  });

  test("has the form that the store's own library verifies", async () => {
    const app = await service.app();
    for (const environment of ['Production', 'Sandbox'] as const) {
      const verifier = new SignedDataVerifier(
        [store.pki.rootDer],
        false,
        environment === 'Production' ? Environment.PRODUCTION : Environment.SANDBOX,
        app.bundleId,
        Number(app.storeAppId),
      );
      const consent = await verifier.verifyAndDecodeNotification(
        store.sign(consentOf(app, '704895312345678901', environment)),
      );
      expect(consent.notificationType).toBe('RESCIND_CONSENT');
      const inner = await verifier.verifyAndDecodeAppTransaction(
        consent.appData?.signedAppTransactionInfo ?? '',
      );
      expect(inner.appTransactionId).toBe('704895312345678901');
      const token = await verifier.verifyAndDecodeNotification(
        store.sign(unreportedToken(aboutApp(app, environment), clock.now)),
      );
      expect(token.externalPurchaseToken?.tokenCreationDate).toBe(clock.now - 10 * DAY);
    }
  });

  test('that comes before any purchase finds its person later', async () => {
    const app = await subscribed();
    const customer = nextAppTransactionId();
    await send(consentOf(app, customer));
    expect((await deliveries(app))[0].data).toMatchObject({
      userIds: [],
      appTransactionId: customer,
    });
    await handOver(app, customer, 'ada');
    expect((await consents(app, 'ada')).length).toBe(1);
    expect((await notices(app))[0].userIds).toEqual(['ada']);
  });

  test('of the sandbox is in list and webhook, and no message or insight', async () => {
    const app = await subscribed();
    await send(consentOf(app, nextAppTransactionId(), 'Sandbox'));
    expect((await deliveries(app))[0].data.environment).toBe('Sandbox');
    expect((await notices(app)).length).toBe(1);
    expect([await worthALook(app), (await rows('messages', app)).length]).toEqual([[], 0]);
  });

  test('that names nobody is shown all the same', async () => {
    const app = await subscribed();
    const { appData, ...payload } = consentOf(app, nextAppTransactionId());
    const { signedAppTransactionInfo: _, ...reference } = appData ?? {};
    await send({ ...payload, appData: reference });
    expect((await notices(app))[0].appTransactionId).toBeNull();
    expect((await deliveries(app)).length).toBe(1);
  });

  test('with something forged inside changes nothing', async () => {
    const [app, other] = [await subscribed(), await service.app()];
    const about = aboutApp(app);
    const inner = (of: AppOfNotice) => appTransactionPayload(of, nextAppTransactionId(), clock.now);
    const own = inner(about);
    const stranger = await createPki();
    const { receiptCreationDate: _, ...undated } = own;
    const forged = [
      signJws(stranger, own),
      signJws(store.pki, own, { header: { alg: 'none' } }),
      store.sign(own).slice(0, -9),
      store.sign({ ...own, receiptType: 'Xcode' }),
      store.sign({ ...own, receiptType: 'LocalTesting' }),
      store.sign(inner(aboutApp(other))),
      store.sign(inner(aboutApp(app, 'Sandbox'))),
      store.sign({ ...own, appAppleId: 1 }),
      store.sign({ ...own, appTransactionId: '' }),
      store.sign(undated),
      'nothing',
    ];
    for (const signed of forged) {
      const payload = rescindConsent(about, signed, clock.now);
      await send(payload);
      const [row] = await deps.sql`
        SELECT last_error FROM purchase_notifications
        WHERE notification_id = ${payload.notificationUUID}`;
      expect(row?.last_error).toContain('refused');
    }
    const signedPayload = signJws(stranger, consentOf(app, nextAppTransactionId()));
    const outer = await call('/v1/purchases/notifications', { body: { signedPayload } });
    expect([outer.status, outer.body.error.code]).toEqual([401, 'invalid_signature']);
    expect([await notices(app), await deliveries(app), await worthALook(app)]).toEqual([
      [],
      [],
      [],
    ]);
    await reconcileAppStore(deps);
    await service.applyAll();
    expect(await notices(app)).toEqual([]);
  });

  test('goes to every app with the bundle id, and with its app', async () => {
    const bundleId = `com.example.consent${clock.now}`;
    const [one, two] = [
      await service.app(undefined, bundleId),
      await service.app(undefined, bundleId),
    ];
    await send(consentOf(one, nextAppTransactionId()));
    const [notice] = await notices(one);
    await resolve(one, notice.id);
    expect((await notices(two, '?state=open')).length).toBe(1);
    await removePurchases({ deps }, { orgId: one.org.orgId, appId: one.appId });
    await deleteRowsOfApp(deps, { orgId: one.org.orgId, appId: one.appId });
    expect([(await notices(one)).length, (await notices(two)).length]).toEqual([0, 1]);
  });
});

test('an external purchase token is shown once, until somebody dealt with it', async () => {
  const app = await subscribed();
  const payload = unreportedToken(aboutApp(app), clock.now);
  for (let time = 0; time < 2; time += 1) await send(payload);
  await send(unreportedToken(aboutApp(app, 'Sandbox'), clock.now));
  const { externalPurchaseId } = payload.externalPurchaseToken ?? {};
  const [told] = (await deliveries(app)).filter(({ data }) => data.environment === 'Production');
  expect(told).toMatchObject({
    type: 'external_purchase.token_received.v1',
    data: { externalPurchaseId, reason: 'UNREPORTED', appTransactionId: null },
  });
  expect(told.data.tokenCreatedAt).toBe(new Date(clock.now - 10 * DAY).toISOString());
  expect((await deliveries(app)).length).toBe(2);
  expect((await rows('messages', app)).length).toBe(1);
  expect(await worthALook(app)).toEqual([['external_purchase_token', 1]]);
  await resolve(app, payload.notificationUUID);
  expect(await worthALook(app)).toEqual([]);
});

test('a page follows a page, newest first, and each is there once', async () => {
  const app = await service.app();
  for (let n = 0; n < 5; n += 1) {
    clock.now += 1;
    await send(unreportedToken(aboutApp(app), clock.now - (n % 2)));
  }
  const all = await notices(app);
  const found = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor && `&cursor=${cursor}`;
    const page = await get(app, `/purchases/notices?limit=2${query}`);
    found.push(...page.notices);
    cursor = page.nextCursor;
  }
  expect(found).toEqual(all);
  expect(all.length).toBe(5);
});

test('only who may change the app deals with its notices', async () => {
  const [app, other] = [await service.app(), await service.app()];
  await send(unreportedToken(aboutApp(app), clock.now));
  const [{ id }] = await notices(app);
  const reader = await createTestKey(service, app.org, ['analytics:read']);
  expect((await resolve(app, id, true, reader)).status).toBe(403);
  expect((await resolve(other, id)).status).toBe(404);
  expect((await resolve({ ...app, org: other.org }, id)).status).toBe(404);
  expect((await resolve(app, crypto.randomUUID())).status).toBe(404);
  expect((await notices(app, '?state=open')).length).toBe(1);
});

describe('what an earlier release stored', () => {
  test('is read for its customers and announced', async () => {
    const app = await subscribed();
    const customer = nextAppTransactionId();
    await handOver(app, customer, 'ada');
    await handOver(app, '', 'bob');
    await send(consentOf(app, customer));
    await send(unreportedToken(aboutApp(app), clock.now));
    const { appId } = app;
    await deps.sql`UPDATE purchase_transactions SET app_transaction_id = NULL WHERE app_id = ${appId}`;
    await deps.sql`DELETE FROM purchase_notices WHERE app_id = ${appId}`;
    expect(await consents(app, 'ada')).toEqual([]);
    for (let round = 0; round < 2; round += 1) {
      await reconcileAppStore(deps);
      await service.applyAll();
      expect((await notices(app)).length).toBe(2);
    }
    expect((await consents(app, 'ada')).length).toBe(1);
    const stored = await deps.sql`
      SELECT app_transaction_id AS id FROM purchase_transactions WHERE app_id = ${appId}`;
    expect(stored.map(({ id }) => id).toSorted()).toEqual(['', customer]);
    const waiting = await deps.sql`
      SELECT 1 FROM purchase_notifications
      WHERE applied_at IS NULL AND bundle_id = ${app.bundleId}`;
    expect(waiting.length).toBe(0);
  });

  test('is not read where its person was erased, and what is no signed text is passed over', async () => {
    const app = await service.app();
    const customer = nextAppTransactionId();
    await handOver(app, customer, 'ada');
    await send(consentOf(app, customer));
    const { appId, org } = app;
    const path = `/v1/apps/${appId}/person`;
    const exported = (await call(`${path}?personId=ada`, { headers: org.key })).text;
    expect(exported).toContain('"store_notice"');
    const erased = await call(`${path}?personId=ada`, { method: 'DELETE', headers: org.key });
    expect(erased.status).toBeLessThan(300);
    const [notice] = await notices(app);
    expect(notice).toMatchObject({ appTransactionId: null, userIds: [] });
    expect(notice.resolvedAt).not.toBeNull();
    await handOver(app, customer, 'eve');
    await deps.sql`
      UPDATE purchase_transactions SET app_transaction_id = NULL, signed_text = 'not signed'
      WHERE app_id = ${appId}`;
    await readCustomersOfTexts(deps);
    const left = await deps.sql`
      SELECT 1 FROM purchase_transactions WHERE app_id = ${appId} AND app_transaction_id <> ''`;
    expect(left.length).toBe(0);
    await send(consentOf(app, customer));
    await reconcileAppStore(deps);
    await service.applyAll();
    expect((await notices(app)).length).toBe(2);
  });
});

test('random purchases and consents, in any order and repeated, come to the same', async () => {
  const step = fc.record({
    person: fc.nat(3),
    isConsent: fc.boolean(),
    repeats: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const app = await subscribed();
      const customers = [0, 1, 2, 3].map(() => nextAppTransactionId());
      const expected = [0, 0, 0, 0];
      const buyers = new Set<number>();
      for (const { person, isConsent, repeats } of steps) {
        const customer = customers[person]!;
        if (!isConsent) {
          await handOver(app, customer, `person${person}`);
          buyers.add(person);
          continue;
        }
        expected[person]! += 1;
        const payload = consentOf(app, customer);
        for (let time = 0; time <= repeats; time += 1) await send(payload);
      }
      for (const person of buyers) {
        expect((await consents(app, `person${person}`)).length).toBe(expected[person]!);
      }
      const sum = expected.reduce((so, count) => so + count, 0);
      expect((await deliveries(app)).length).toBe(sum);
      expect(await worthALook(app)).toEqual(sum === 0 ? [] : [['consent_rescinded', sum]]);
    }),
    { numRuns: process.env.TEST_FULL ? 200 : 5 },
  );
});
