import { answerRefundRequest } from '../../src/modules/purchases/refunds/answer.ts';
import type { StoreEnvironment } from '../../src/shared/environment.ts';
import {
  notificationPayload,
  type TransactionPayload,
  transactionPayload,
} from '../simulators/store-server/payloads.ts';
import type { PurchaseApp, PurchaseService } from './purchase-service.ts';

const DAY = 86_400_000;

/** How the store tells of a refund: asks, or says what it decided. */
export function refundsOf(service: PurchaseService) {
  const { store, clock, deps } = service;

  const bought = (app: PurchaseApp, given: Partial<TransactionPayload> = {}) => {
    const transaction = transactionPayload({
      ...{ bundleId: app.bundleId, productId: 'coins.100', type: 'Consumable' },
      purchaseDate: clock.now - DAY,
      ...given,
    });
    store.addTransaction(transaction);
    return transaction;
  };

  const tell = async (
    app: PurchaseApp,
    type: string,
    transaction: TransactionPayload,
    { signedDate = clock.now }: { signedDate?: number } = {},
  ) => {
    const environment = transaction.environment as StoreEnvironment;
    const isAsked = type === 'CONSUMPTION_REQUEST';
    const payload = notificationPayload({
      notificationType: type,
      signedDate,
      data: {
        ...{ bundleId: app.bundleId, bundleVersion: '1', environment },
        ...(environment === 'Production' ? { appAppleId: Number(app.storeAppId) } : {}),
        ...(isAsked ? { consumptionRequestReason: 'UNINTENDED_PURCHASE' } : {}),
      },
    });
    const about = { transaction: { ...transaction, signedDate } };
    const signedPayload = store.notify(environment, payload, about);
    const answer = await service.call('/v1/purchases/notifications', { body: { signedPayload } });
    if (answer.status !== 200) throw new Error(answer.text);
    return payload.notificationUUID;
  };

  const ask = async (
    app: PurchaseApp,
    transaction: TransactionPayload,
    options: { signedDate?: number } = {},
  ) => {
    const id = await tell(app, 'CONSUMPTION_REQUEST', transaction, options);
    await service.applyAll();
    return id;
  };

  /** What the workflow does, once; what it threw. */
  const answer = async (
    app: PurchaseApp,
    requestId: string,
    environment: StoreEnvironment = 'Production',
  ) => {
    const { orgId } = app.org;
    const input = { orgId, appId: app.appId, environment, requestId };
    return answerRefundRequest({ deps, requestId: 'test' }, input).then(
      () => null,
      (thrown: unknown) => thrown,
    );
  };

  const settings = (app: PurchaseApp, body: object) =>
    service.call(`/v1/apps/${app.appId}/purchases/refund-answers`, {
      ...{ method: 'PATCH', headers: app.org.key, body },
    });
  const person = (app: PurchaseApp, body: object) =>
    service.call(`/v1/apps/${app.appId}/purchases/refund-answers/person`, {
      ...{ method: 'PUT', headers: app.org.key, body },
    });
  const list = async (app: PurchaseApp, query = '') => {
    const path = `/v1/apps/${app.appId}/purchases/refund-requests${query}`;
    return (await service.call(path, { headers: app.org.key })).body;
  };
  const sentOf = ({ transactionId }: TransactionPayload) =>
    [...store.changed('Production').consumptions, ...store.changed('Sandbox').consumptions]
      .filter((one) => one.transactionId === transactionId)
      .map(({ body }) => body);

  return { bought, tell, ask, answer, settings, person, list, sentOf };
}
