import { createHmac } from 'node:crypto';
import type { SystemContext } from '../../../context.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import { isSameSecret } from '../../../shared/same-secret.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { startSync } from '../collection/actor.ts';
import { openSecret } from './manage.ts';
import type { StoreWebhookInput } from './model.ts';
import { insertDelivery, type StoreWebhookRow, selectByHook } from './queries.ts';

const STATE_CHANGED = 'appStoreVersionAppVersionStateUpdated';
const PING = 'webhookPingCreated';
const PREVIOUS_FOR_MS = DAY_MS;

export function isSignedBy(secret: string, rawBody: string, header: string | null): boolean {
  const signature = createHmac('sha256', secret).update(rawBody).digest('hex');
  return isSameSecret(`hmacsha256=${signature}`, header?.trim().toLowerCase() ?? '');
}

type Needs = 'clock' | 'log' | 'rateLimits' | 'secrets' | 'sql' | 'temporal';

export type Arrived = {
  hookId: string;
  body: StoreWebhookInput;
  rawBody: string;
  signature: string | null;
  sender: string;
};

async function checkSignature(
  { deps }: SystemContext<Needs>,
  row: StoreWebhookRow,
  { hookId, rawBody, signature, sender }: Arrived,
): Promise<void> {
  const counted = `${sender} ${hookId}`;
  await deps.rateLimits.check('invalidSignature', counted);
  const isRecent = deps.clock().getTime() - row.rotatedAt.getTime() < PREVIOUS_FOR_MS;
  const sealed = [row.sealedSecret, ...(isRecent ? [row.previousSealedSecret] : [])];
  const isSigned = sealed.some(
    (secret) =>
      secret !== null && isSignedBy(openSecret(deps, row.orgId, secret), rawBody, signature),
  );
  if (isSigned) return;
  await deps.rateLimits.take('invalidSignature', counted);
  throw new AppError('invalid_signature', 'The body is not signed with the secret.', {
    hint: 'x-apple-signature: hmacsha256=<hex> of the body as it was sent',
  });
}

/** The state in the body is not believed: the store is asked. Throws `not_found`. */
export async function receiveStoreWebhook(
  ctx: SystemContext<Needs>,
  arrived: Arrived,
): Promise<{ received: boolean }> {
  const { deps } = ctx;
  const row = await selectByHook(deps.sql, arrived.hookId);
  if (!row) throw notFound();
  await checkSignature(ctx, row, arrived);
  const { id, type } = arrived.body.data;
  const isHint = type === STATE_CHANGED;
  const delivery = { id, at: deps.clock(), isHint, isPing: type === PING };
  const isNew = await insertDelivery(deps.sql, row, delivery);
  if (isNew && isHint) {
    startSync(ctx, row).catch((err: unknown) => {
      deps.log.warn({ err, orgId: row.orgId }, 'store actor not woken; the reconciler will retry');
    });
  }
  return { received: true };
}
