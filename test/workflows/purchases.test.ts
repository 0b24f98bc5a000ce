import { afterAll, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { recordRecovery } from '../../src/modules/purchases/app-store/history-queries.ts';
import {
  ensureMissingPurchaseRuns,
  reconcilePurchases,
} from '../../src/modules/purchases/reconcile.ts';
import type { StoreEnvironment } from '../../src/shared/environment.ts';
import {
  purchaseForwardContract,
  purchaseHistoryContract,
  purchaseImportContract,
  purchaseNotificationContract,
  purchaseRecoveryContract,
  purchaseRefundAnswerContract,
} from '../../src/temporal/contracts/purchases.ts';
import { notificationPayload, transactionPayload } from '../simulators/store-server/payloads.ts';
import { tooManyRequests } from '../simulators/store-server/server.ts';
import { keepHistory } from '../support/history.ts';
import { testDatabase } from '../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../support/purchase-service.ts';
import { refundsOf } from '../support/refund-requests.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

type Received = { headers: Record<string, string>; body: string };
const received: Received[] = [];
let failures = 0;
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    received.push({ headers: Object.fromEntries(request.headers), body: await request.text() });
    if (failures === 0) return new Response('ok');
    failures -= 1;
    return new Response('later', { status: 500 });
  },
});
afterAll(() => receiver.stop(true));
const forwardUrl = `http://127.0.0.1:${receiver.port}/hook`;

const temporal = await testTemporal();
const service = await startPurchaseService(await testDatabase(), {
  temporal,
  env: { EGRESS_ALLOW: `127.0.0.1:${receiver.port}` },
});
const { deps, store, clock } = service;
await startTestWorker(deps, temporal);

const DAY = 86_400_000;
const send = async (signedPayload: string) => {
  const answer = await service.call('/v1/purchases/notifications', { body: { signedPayload } });
  expect(answer.status).toBe(200);
};
const statusOf = async (app: PurchaseApp, originalTransactionId: string) => {
  const query = new URLSearchParams({ originalTransactionId });
  const path = `/v1/purchases/entitlement?${query}`;
  return (await service.call(path, { headers: app.device })).body.status;
};
const forwardOf = async (app: PurchaseApp) => {
  const [row] = await deps.sql<{ state: string; attempts: number }[]>`
    SELECT state, attempts FROM purchase_forwards WHERE app_id = ${app.appId}`;
  return row;
};
const forwardTo = async (app: PurchaseApp, url: string | null): Promise<string> => {
  const answer = await service.call(`/v1/apps/${app.appId}/purchases/settings`, {
    method: 'PATCH',
    headers: app.org.key,
    body: { forwardUrl: url },
  });
  return answer.body.forwardSecret;
};
const run = (uuid: string, environment: StoreEnvironment = 'Production') =>
  purchaseNotificationContract.workflowId({ environment, notificationId: uuid });

describe('purchaseNotification', () => {
  test('applies what was stored', async () => {
    const app = await service.app();
    const subscription = buy(app, clock.now - DAY);
    const [told] = subscription.told;
    await send(service.signed(subscription, told!, app));
    await until('it is applied', async () => {
      return (await statusOf(app, subscription.originalTransactionId)) === 'active';
    });
    await keepHistory(temporal.client, run(told!.uuid), 'purchase-notification/applied');
  });

  test('is started by the sweeper when the request could not do it', async () => {
    const app = await service.app();
    const subscription = buy(app, clock.now - DAY);
    const real = deps.temporal.ensure;
    deps.temporal.ensure = () => Promise.reject(new Error('Temporal is away'));
    await send(service.signed(subscription, subscription.told[0]!, app));
    deps.temporal.ensure = real;
    await reconcilePurchases(deps);
    expect(await statusOf(app, subscription.originalTransactionId)).toBe('none');
    clock.now += 61_000;
    await reconcilePurchases(deps);
    await until('it is applied', async () => {
      return (await statusOf(app, subscription.originalTransactionId)) === 'active';
    });
  });

  test('asks the store what an unknown type means', async () => {
    const app = await service.app();
    await service.connect(app);
    const subscription = buy(app, clock.now - DAY);
    subscription.cancel();
    const { transaction, renewal, status } = subscription.answer();
    store.setChain('Production', [{ groupId: '1', status, transaction, renewal }]);
    const { bundleId, storeAppId } = app;
    const data = {
      bundleId,
      bundleVersion: '1',
      environment: 'Production',
      appAppleId: Number(storeAppId),
      signedTransactionInfo: store.sign(transactionPayload({ ...subscription.newest })),
    };
    const payload = notificationPayload({ notificationType: 'BRAND_NEW', data });
    await send(store.sign(payload));
    await until('the store was asked', async () =>
      store.production.requests.some((line) =>
        line.includes(`/subscriptions/${subscription.originalTransactionId}`),
      ),
    );
    await temporal.client.workflow.getHandle(run(payload.notificationUUID)).result();
    await keepHistory(
      temporal.client,
      run(payload.notificationUUID),
      'purchase-notification/asked',
    );
  });
});

describe('purchaseForward', () => {
  test('delivers the raw notification, signed, until it is taken', async () => {
    const app = await service.app();
    const secret = await forwardTo(app, forwardUrl);
    failures = 1;
    const subscription = buy(app, clock.now - DAY);
    const [told] = subscription.told;
    const signedPayload = service.signed(subscription, told!, app);
    await send(signedPayload);
    await until('it is delivered', async () => (await forwardOf(app))?.state === 'delivered');
    expect(await forwardOf(app)).toEqual({ state: 'delivered', attempts: 2 });
    const mine = received.filter(({ body }) => body.includes(signedPayload));
    expect(mine).toHaveLength(2);
    for (const { headers, body } of mine) {
      expect(JSON.parse(body)).toEqual({ signedPayload });
      const id = `Production:${told!.uuid}`;
      expect(headers['webhook-id']).toBe(id);
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
      const mac = createHmac('sha256', key).update(signed).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${mac}`);
    }
    const input = { orgId: app.org.orgId, appId: app.appId };
    const workflowId = purchaseForwardContract.workflowId({
      ...input,
      environment: 'Production',
      notificationId: told!.uuid,
    });
    await keepHistory(temporal.client, workflowId, 'purchase-forward/delivered');
    await keepHistory(temporal.client, run(told!.uuid), 'purchase-notification/forwarded');
  });

  test('is off by default, and ends when it is switched off', async () => {
    const app = await service.app();
    const subscription = buy(app, clock.now - DAY);
    await send(service.signed(subscription, subscription.told[0]!, app));
    await until('it is applied', async () => {
      return (await statusOf(app, subscription.originalTransactionId)) === 'active';
    });
    expect(await forwardOf(app)).toBeUndefined();
    await forwardTo(app, forwardUrl);
    failures = 1;
    subscription.renew();
    await send(service.signed(subscription, subscription.told[1]!, app));
    await until('one attempt was made', async () => (await forwardOf(app))?.attempts === 1);
    await forwardTo(app, null);
    await until('it has ended', async () => (await forwardOf(app))?.state === 'failed');
  });

  test('is started again by the sweeper when its run is gone', async () => {
    const app = await service.app();
    await forwardTo(app, forwardUrl);
    const subscription = buy(app, clock.now - DAY);
    await service.deliver(subscription, subscription.told[0]!, app);
    await deps.sql`
      UPDATE purchase_forwards SET state = 'pending', attempts = 0 WHERE app_id = ${app.appId}`;
    clock.now += 61_000;
    await reconcilePurchases(deps);
    await until('it is delivered', async () => (await forwardOf(app))?.state === 'delivered');
  });
});

describe('purchaseRecovery', () => {
  test('takes in what never arrived, over pages, limits and outages', async () => {
    const app = await service.app();
    await service.connect(app);
    const chains = Array.from({ length: 45 }, () => buy(app, Date.now() - 3_600_000));
    for (const chain of chains) service.signed(chain, chain.told[0]!, app);
    store.production.faults.next({ kind: 'status', status: 503 }, { match: /history/ });
    store.production.faults.next(tooManyRequests(Date.now() + 1_000), { match: /history/ });
    const scope = { orgId: app.org.orgId, appId: app.appId };
    // Days that were read before, so that this run is about what goes wrong and not about how far.
    const before = { startedAt: new Date(), through: new Date(Date.now() - 2 * DAY), error: null };
    for (const environment of ['Production', 'Sandbox'] as const) {
      await recordRecovery(deps.sql, { ...scope, environment }, before);
    }
    const handle = await deps.temporal.ensure(purchaseRecoveryContract, scope);
    await handle.result();
    for (const chain of chains) {
      await until('it is applied', async () => {
        return (await statusOf(app, chain.originalTransactionId)) === 'active';
      });
    }
    await keepHistory(
      temporal.client,
      purchaseRecoveryContract.workflowId(scope),
      'purchase-recovery/slices',
    );
    const [row] = await deps.sql`
      SELECT recovered_through, last_error FROM purchase_recoveries
      WHERE app_id = ${app.appId} AND environment = 'Production'`;
    expect(row?.recovered_through).not.toBeNull();
    expect(row?.last_error).toBeNull();
  });

  test('is due every hour, for organizations whose key works', async () => {
    const app = await service.app();
    const runs = async () => {
      const id = purchaseRecoveryContract.workflowId({ orgId: app.org.orgId, appId: app.appId });
      return temporal.client.workflow
        .getHandle(id)
        .describe()
        .catch(() => null);
    };
    await reconcilePurchases(deps);
    expect(await runs()).toBeNull();
    await service.connect(app);
    const key = { orgId: app.org.orgId, appId: app.appId, environment: 'Production' as const };
    const recent = { startedAt: new Date(clock.now), through: null, error: null };
    await recordRecovery(deps.sql, key, recent);
    await reconcilePurchases(deps);
    expect(await runs()).toBeNull();
    clock.now += 3_600_001;
    await reconcilePurchases(deps);
    expect(await runs()).not.toBeNull();
  });
});

describe('purchaseHistory', () => {
  test('reads every page of what is wanted, over limits and outages, once', async () => {
    const app = await service.app();
    const subscription = buy(app, clock.now - 45 * 30 * DAY);
    for (let month = 1; month < 45; month += 1) subscription.renew();
    await service.deliver(subscription, subscription.told.at(-1)!, app);
    for (const period of subscription.periods) store.addTransaction({ ...period });
    const { transaction, renewal, status } = subscription.answer();
    store.setChain('Production', [{ groupId: '1', status, transaction, renewal }]);
    await service.connect(app);
    const match = /v2\/history/;
    store.production.faults.next({ kind: 'status', status: 503 }, { match });
    store.production.faults.next(tooManyRequests(Date.now() + 1_000), { match });
    await reconcilePurchases(deps);
    const scope = { orgId: app.org.orgId, appId: app.appId };
    const id = purchaseHistoryContract.workflowId(scope);
    await temporal.client.workflow.getHandle(id).result();
    const [row] = await deps.sql`
      SELECT count(*) AS kept FROM purchase_transactions
      WHERE app_id = ${app.appId} AND signed_text IS NOT NULL AND price_milliunits = 9990`;
    expect(row?.kept).toBe(45);
    await keepHistory(temporal.client, id, 'purchase-history/three-pages');
    const { runId } = await temporal.client.workflow.getHandle(id).describe();
    await reconcilePurchases(deps);
    expect((await temporal.client.workflow.getHandle(id).describe()).runId).toBe(runId);
  });
});

describe('purchaseImport', () => {
  test('verifies and binds every line in steps, through a store that asks to wait', async () => {
    const app = await service.app();
    await service.connect(app);
    const lines = Array.from({ length: 27 }, (_, index) => {
      const subscription = buy(app, clock.now - DAY);
      store.addTransaction(subscription.newest);
      return `user-${index},${subscription.originalTransactionId}`;
    });
    const match = /GET \/inApps\/v1\/transactions/;
    store.production.faults.next(tooManyRequests(Date.now() + 1_000), { match });
    const path = `/v1/apps/${app.appId}/purchases/import`;
    const csv = ['userId,originalTransactionId', ...lines, 'nobody,404404404'].join('\n');
    const made = await service.call(path, { headers: app.org.key, body: { csv } });
    expect(made.status).toBe(202);
    await until('the import is finished', async () => {
      const { body } = await service.call(`${path}/${made.body.id}`, { headers: app.org.key });
      return body.status === 'finished' && body.bound === 27 && body.refused === 1;
    });
    const workflowId = purchaseImportContract.workflowId({ ...app, orgId: app.org.orgId });
    await temporal.client.workflow.getHandle(workflowId).result();
    await keepHistory(temporal.client, workflowId, 'purchase-import/two-steps');
  });
});

describe('purchaseRefundAnswer', () => {
  const refunds = refundsOf(service);
  const answered = async (app: PurchaseApp) => (await refunds.list(app)).requests[0];
  const runOf = (app: PurchaseApp, requestId: string) =>
    purchaseRefundAnswerContract.workflowId({
      ...{ orgId: app.org.orgId, appId: app.appId, environment: 'Production', requestId },
    });

  test('answers what the store asked, through an outage', async () => {
    const app = await service.app();
    await service.connect(app);
    await refunds.settings(app, { answers: 'decline', customersConsent: true });
    store.production.faults.next({ kind: 'status', status: 503 }, { match: /consumption/ });
    const transaction = refunds.bought(app);
    const id = await refunds.tell(app, 'CONSUMPTION_REQUEST', transaction);
    await until('it waits', async () => (await answered(app))?.state === 'waiting');
    await ensureMissingPurchaseRuns(deps);
    await until('it is answered', async () => (await answered(app))?.state === 'answered');
    expect((await answered(app)).attempts).toBe(2);
    expect(refunds.sentOf(transaction)).toHaveLength(1);
    await temporal.client.workflow.getHandle(runOf(app, id)).result();
    await keepHistory(temporal.client, runOf(app, id), 'purchase-refund-answer/answered');
  });

  test('is started again by the sweeper when its run is gone', async () => {
    const app = await service.app();
    await service.connect(app);
    await refunds.settings(app, { answers: 'neutral', customersConsent: true });
    const transaction = refunds.bought(app);
    await refunds.ask(app, transaction);
    await deps.sql`
      UPDATE purchase_refund_requests SET run_ensured_at = now() WHERE app_id = ${app.appId}`;
    clock.now += 61_000;
    await reconcilePurchases(deps);
    await until('it is answered', async () => (await answered(app))?.state === 'answered');
    expect(refunds.sentOf(transaction)).toHaveLength(1);
    expect(store.production.violations).toEqual([]);
  });
});
