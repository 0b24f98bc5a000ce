import { randomBytes } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';
import type { SecretScope } from '../../storage/secrets/secrets.ts';

const SECRET_BYTES = 32;

/** `whsec_` and base64, the form that every Standard Webhooks library takes. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export const webhookSecretScope = (orgId: string): SecretScope => ({ orgId, purpose: 'webhook' });

/** The three headers of Standard Webhooks for one attempt; the id stays the same for all. */
export function signedHeaders(
  secret: string,
  message: { id: string; at: Date; body: string },
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(message.at.getTime() / 1_000)),
    'webhook-signature': new Signer(secret).sign(message.id, message.at, message.body),
  };
}
