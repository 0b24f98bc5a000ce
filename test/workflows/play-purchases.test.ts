import { expect, test } from 'bun:test';
import {
  ensureMissingPurchaseRuns,
  reconcilePurchases,
} from '../../src/modules/purchases/reconcile.ts';
import { HOUR_MS } from '../../src/shared/time.ts';
import {
  playPurchasesContract,
  purchaseRefundAnswerContract,
} from '../../src/temporal/contracts/purchases.ts';
import { chargebacksOf } from '../support/chargebacks.ts';
import { keepHistory } from '../support/history.ts';
import { newToken, ofToken, type PlayApp, startPlayService } from '../support/play-service.ts';
import { testDatabase } from '../support/postgres.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const temporal = await testTemporal();
const service = await startPlayService(await testDatabase(), { temporal });
const { clock, connected, play, push, sell } = service;
await startTestWorker(service.deps, temporal);

const runOf = ({ appId, org }: PlayApp) =>
  temporal.client.workflow.getHandle(playPurchasesContract.workflowId({ orgId: org.orgId, appId }));

test('a notification is followed by a run that asks and acknowledges', async () => {
  const app = await connected();
  const token = newToken();
  sell({ token });
  await push(app, ofToken(token, 4));
  await until('it is acknowledged', async () => play.acknowledgements.includes(token));
  await runOf(app).result();
  await keepHistory(temporal.client, runOf(app).workflowId, 'play-purchases/asked');
});

test('the sweeper starts what a lost run has left, and nothing where nothing is due', async () => {
  const [app, quiet] = [await connected(), await connected()];
  const token = newToken();
  sell({ token });
  const verified = await service.call('/v1/purchases/verify', {
    headers: app.device,
    body: { store: 'google_play', purchaseToken: token, userId: 'ada' },
  });
  expect(verified.status).toBe(200);
  await reconcilePurchases(service.deps);
  await runOf(quiet).result();
  const before = (await runOf(quiet).describe()).runId;
  await runOf(app).result();
  play.faults.next({ kind: 'status', status: 503 }, { match: /acknowledge/ });
  const late = newToken();
  sell({ token: late });
  await push(app, ofToken(late, 4));
  await until('it was asked about', async () =>
    play.requests.some((request) => request.includes(`${late}:acknowledge`)),
  );
  await runOf(app).result();
  expect(play.acknowledgements).not.toContain(late);
  clock.now += HOUR_MS - 1;
  await reconcilePurchases(service.deps);
  await until('it is acknowledged', async () => play.acknowledgements.includes(late));
  expect((await runOf(quiet).describe()).runId).toBe(before);
});

test('a chargeback is answered by a run, through an outage and before its purchase is known', async () => {
  const chargebacks = chargebacksOf(service);
  const app = await connected();
  await chargebacks.settings(app, { answers: 'decline', customersConsent: true });
  const { orderId } = await chargebacks.subscribed(app);
  play.faults.next({ kind: 'status', status: 503 }, { match: /reviewrefund/ });
  const asked = await chargebacks.ask(app, orderId);
  await ensureMissingPurchaseRuns(service.deps);
  await until('it is answered', async (saw) => {
    const request = await chargebacks.newest(app);
    saw(request);
    return request.state === 'answered';
  });
  expect(await chargebacks.newest(app)).toMatchObject({ productId: 'pro', attempts: 2 });
  expect(chargebacks.sentOf(asked)).toHaveLength(1);
  const { id: requestId } = await chargebacks.newest(app);
  const scope = { orgId: app.org.orgId, appId: app.appId };
  const workflowId = purchaseRefundAnswerContract.workflowId({
    ...{ ...scope, environment: 'Production', requestId },
  });
  await temporal.client.workflow.getHandle(workflowId).result();
  await keepHistory(temporal.client, workflowId, 'purchase-refund-answer/chargeback');
  expect(play.violations).toEqual([]);
});
