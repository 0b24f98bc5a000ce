import { createHmac, randomBytes } from 'node:crypto';

/** https://www.standardwebhooks.com: symmetric signatures, version 1. */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function newWebhookSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export type WebhookMessage = {
  /** The same for every attempt of one message. */
  id: string;
  /** The time of the attempt. */
  at: Date;
  body: string;
};

/** The three headers by which a receiver knows who sent a message, and that it is not an old one. */
export function webhookHeaders(secret: string, message: WebhookMessage): Record<string, string> {
  const timestamp = String(Math.floor(message.at.getTime() / 1_000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key)
    .update(`${message.id}.${timestamp}.${message.body}`)
    .digest('base64');
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
