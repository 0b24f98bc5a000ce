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

/**
 * Headers of one attempt: https://www.standardwebhooks.com, symmetric signature, version 1; one
 * signature for each secret that a receiver may know.
 */
export function signedHeaders(
  secrets: readonly string[],
  message: WebhookMessage,
): Record<string, string> {
  const signatures = secrets.map((secret) =>
    new Signer(secret).sign(message.id, message.at, message.body),
  );
  return {
    'content-type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(message.at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}
