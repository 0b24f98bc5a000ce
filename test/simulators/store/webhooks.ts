import { createHmac } from 'node:crypto';
import type { SimulatorAnswer, SimulatorRequest } from '../kit/server.ts';
import { ERRORS } from './errors.ts';

export type SimulatedWebhook = { appId: string; url: string; secret: string };

type Account = { webhooks: Map<string, SimulatedWebhook>; webhooksAllowed: boolean };

/** Strict about the form of a request; ten for each app, as in the store. */
export function webhookRequest(account: Account, request: SimulatorRequest): SimulatorAnswer {
  if (!account.webhooksAllowed) return ERRORS.roleMissing();
  const id = /^\/v1\/webhooks\/([\w-]+)$/.exec(request.path)?.[1];
  if (request.method === 'DELETE') {
    return id && account.webhooks.delete(id) ? { status: 204 } : ERRORS.noSuchResource();
  }
  const known = id === undefined ? undefined : account.webhooks.get(id);
  const isPost = request.method === 'POST' && request.path === '/v1/webhooks';
  if (!isPost && !(request.method === 'PATCH' && known)) return ERRORS.noSuchResource();
  const { data } = JSON.parse(request.body);
  const { url, secret, name, enabled, eventTypes } = data.attributes;
  const appId = known?.appId ?? data.relationships?.app?.data?.id;
  const isWhole =
    data.type === 'webhooks' &&
    typeof secret === 'string' &&
    secret.length > 0 &&
    URL.canParse(url) &&
    typeof name === 'string' &&
    enabled === true &&
    Array.isArray(eventTypes) &&
    typeof appId === 'string' &&
    (isPost ? data.id === undefined : data.id === id && data.relationships === undefined);
  if (!isWhole) return ERRORS.unknownParameter('data');
  const hookId = id ?? crypto.randomUUID();
  account.webhooks.set(hookId, { appId, url, secret });
  return {
    status: isPost ? 201 : 200,
    json: {
      data: { type: 'webhooks', id: hookId, attributes: { enabled, eventTypes, name, url } },
    },
  };
}

export const signatureOf = (secret: string, body: string): string =>
  `hmacsha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
