import { answerRefundRequest } from '../../src/modules/purchases/refunds/answer.ts';
import { newToken, type PlayApp, type PlayService, subscriptionOf } from './play-service.ts';

const DAY = 86_400_000;

/** As Google notifies of one. */
export const reviewOf = (token: string, orderId: string, more: object = {}) => ({
  pendingRefundReviewNotification: {
    ...{ version: '1.0', pendingRefundToken: token, orderId, refundReason: 7 },
    ...more,
  },
});

/** Bought once, some hours before. */
export const productOf = (productId: string, orderId: string, now: number, quantity = 1) => ({
  orderId,
  purchaseCompletionTime: new Date(now).toISOString(),
  purchaseStateContext: { purchaseState: 'PURCHASED' },
  acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
  productLineItem: [
    {
      productId,
      productOfferDetails: {
        consumptionState: 'CONSUMPTION_STATE_CONSUMED',
        ...(quantity === 1 ? {} : { quantity }),
      },
    },
  ],
});

/** How Google Play asks about chargebacks, and how it is answered. */
export function chargebacksOf(service: PlayService) {
  const { play, clock, deps, push } = service;
  let orders = 0;
  const newOrder = () => {
    orders += 1;
    return `GPA.3300-7000-8000-${String(orders).padStart(5, '0')}`;
  };

  const boughtOnce = async (app: PlayApp, productId: string, userId?: string) => {
    const [token, orderId] = [newToken(), newOrder()];
    play.putProduct(token, productOf(productId, orderId, clock.now - DAY));
    if (userId !== undefined) await service.verify(app, token, userId);
    return orderId;
  };
  const subscribed = async (app: PlayApp, userId?: string) => {
    const [token, orderId] = [newToken(), newOrder()];
    play.put(token, subscriptionOf({ token, orderId }, clock.now - DAY));
    if (userId !== undefined) await service.verify(app, token, userId);
    return { token, orderId };
  };

  const ask = async (app: PlayApp, orderId: string, { at = clock.now } = {}) => {
    const asked = play.reviews.ask(orderId, app.packageName, at);
    const told = { eventTimeMillis: String(at), ...reviewOf(asked.token, orderId) };
    await push(app, told);
    return { ...asked, again: () => push(app, told) };
  };

  const list = async (app: PlayApp, query = '') => {
    const path = `/v1/apps/${app.appId}/purchases/refund-requests${query}`;
    return (await service.call(path, { headers: app.org.key })).body;
  };
  const newest = async (app: PlayApp) => (await list(app)).requests[0];
  const settings = (app: PlayApp, body: object) =>
    service.call(`/v1/apps/${app.appId}/purchases/refund-answers`, {
      ...{ method: 'PATCH', headers: app.org.key, body },
    });
  const person = (app: PlayApp, body: object) =>
    service.call(`/v1/apps/${app.appId}/purchases/refund-answers/person`, {
      ...{ method: 'PUT', headers: app.org.key, body },
    });

  /** What the workflow does, once, about the newest; what it threw. */
  const answer = async (app: PlayApp, requestId?: string) => {
    const input = {
      ...{ orgId: app.org.orgId, appId: app.appId, environment: 'Production' as const },
      requestId: requestId ?? (await newest(app)).id,
    };
    return answerRefundRequest({ deps, requestId: 'test' }, input).then(
      () => null,
      (thrown: unknown) => thrown,
    );
  };
  const sentOf = ({ token }: { token: string }) =>
    play.reviews.asked.get(token)!.answers.map(({ body }) => body);

  return { boughtOnce, subscribed, ask, list, newest, settings, person, answer, sentOf };
}
