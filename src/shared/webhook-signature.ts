import { randomBytes } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';

const SECRET_BYTES = 32;

/** `whsec_` and base64, the form that every Standard Webhooks library takes. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export type WebhookMessage = {
  /** The same for every attempt. */
  id: string;
  /** The time of the attempt. */
  at: Date;
  body: string;
};

/** Headers of one attempt: https://www.standardwebhooks.com, symmetric signature, version 1. */
export function signedHeaders(secret: string, message: WebhookMessage): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(message.at.getTime() / 1_000)),
    'webhook-signature': new Signer(secret).sign(message.id, message.at, message.body),
  };
}
