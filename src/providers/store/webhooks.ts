import type { Store } from './port.ts';
import { address, failure, JSON_TYPE, json, type Send } from './request.ts';
import { webhookAnswer } from './wire.ts';

const EVENTS = ['APP_STORE_VERSION_APP_VERSION_STATE_UPDATED'];
const NAME = 'Control plane';

export const webhookRequests = (
  send: Send,
  baseUrl: string,
): Pick<Store, 'deleteWebhook' | 'putWebhook'> => ({
  putWebhook: async (key, { storeAppId, url, secret, webhookId }) => {
    const attributes = { enabled: true, eventTypes: EVENTS, name: NAME, secret, url };
    const app = { data: { type: 'apps', id: storeAppId } };
    if (webhookId !== null) {
      const path = `/v1/webhooks/${encodeURIComponent(webhookId)}`;
      const data = { type: 'webhooks', id: webhookId, attributes };
      const body = JSON.stringify({ data });
      const request = { method: 'PATCH', accept: JSON_TYPE, body } as const;
      const answer = await send(key, address(baseUrl, path, {}), request);
      // Deleted in the account meanwhile.
      if (answer.status !== 404) return json(answer, webhookAnswer.parse).data.id;
    }
    const body = JSON.stringify({ data: { type: 'webhooks', attributes, relationships: { app } } });
    const request = { method: 'POST', accept: JSON_TYPE, body } as const;
    const answer = await send(key, address(baseUrl, '/v1/webhooks', {}), request);
    return json(answer, webhookAnswer.parse).data.id;
  },
  deleteWebhook: async (key, webhookId) => {
    const path = `/v1/webhooks/${encodeURIComponent(webhookId)}`;
    const request = { method: 'DELETE', accept: JSON_TYPE } as const;
    const answer = await send(key, address(baseUrl, path, {}), request);
    if (answer.status !== 404 && answer.status > 299) throw failure(answer);
  },
});
