import { randomBytes } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';

const SECRET_BYTES = 32;

/** `whsec_` plus base64, as Standard Webhooks libraries expect. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export type WebhookMessage = {
  id: string;
  at: Date;
  body: string;
};

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
