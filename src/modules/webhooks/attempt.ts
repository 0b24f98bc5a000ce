import type { SystemContext } from '../../context.ts';
import { tryPost } from '../../providers/egress/port.ts';
import { AppError } from '../../shared/errors.ts';
import { signedHeaders } from '../../shared/webhook-signature.ts';
import { asOutgoingCall } from '../../storage/outgoing-calls-queries.ts';
import * as contracts from '../../temporal/contracts/webhooks.ts';
import * as queries from './deliveries-queries.ts';
import { deliverSoon } from './slots.ts';
import { delayAttempt } from './slots-queries.ts';
import { webhookSecretScope } from './webhooks.ts';

export type AttemptOutcome = 'delivered' | 'failed' | 'not_wanted' | 'retry';

type Answer = { responseStatus: number | null; error: string | null; outcome: AttemptOutcome };

async function post(
  ctx: SystemContext<'clock' | 'egress' | 'secrets' | 'sql'>,
  orgId: string,
  outgoing: queries.Outgoing,
): Promise<Answer> {
  const { egress, secrets, clock } = ctx.deps;
  const { sealedSecret, sealedPreviousSecret } = outgoing;
  const sealed =
    sealedPreviousSecret === null ? [sealedSecret] : [sealedSecret, sealedPreviousSecret];
  const signing = sealed.map((one) => secrets.open(webhookSecretScope(orgId), one));
  const { deliveryId: id, url, body } = outgoing;
  const { isAccepted, status, fault, reason } = await tryPost(egress, {
    url,
    headers: signedHeaders(signing, { id, at: clock(), body }),
    body,
  });
  const refused = fault === 'forbidden' ? 'failed' : 'retry';
  return {
    responseStatus: status,
    error: fault && reason,
    outcome: isAccepted ? 'delivered' : refused,
  };
}

/** Missing in runs of older releases; delays slot reuse only. */
const DELAY_SECONDS = 60;
const LONGEST_DELAY_SECONDS = Math.max(...contracts.RETRY_DELAYS_SECONDS);

type Needs = 'clock' | 'egress' | 'log' | 'secrets' | 'sql' | 'temporal';

export const attemptWebhookDelivery = (
  ctx: SystemContext<Needs>,
  input: contracts.WebhookAttemptInput,
): Promise<AttemptOutcome> => asOutgoingCall(ctx.deps.sql, input.orgId, () => attempt(ctx, input));

async function attempt(
  ctx: SystemContext<Needs>,
  { orgId, deliveryId, retryInSeconds = DELAY_SECONDS }: contracts.WebhookAttemptInput,
): Promise<AttemptOutcome> {
  const { sql, clock } = ctx.deps;
  const outgoing = await queries.selectOutgoing(sql, orgId, deliveryId);
  if (!outgoing) return 'not_wanted';
  const due = await queries.findDue(sql, { orgId, deliveryId });
  if (!due) return 'retry';
  const attemptedAt = clock();
  const startedMs = performance.now();
  const { responseStatus, error, outcome } = await post(ctx, orgId, outgoing);
  const durationMs = Math.round(performance.now() - startedMs);
  await queries.insertAttempt(sql, {
    deliveryId,
    orgId,
    attemptedAt,
    responseStatus,
    error,
    durationMs,
  });
  if (outcome === 'delivered' || outcome === 'failed') {
    await queries.finishDelivery(sql, { orgId, deliveryId, status: outcome, at: clock() });
  } else if (retryInSeconds !== null) {
    const seconds = Math.min(Math.max(retryInSeconds, 0), LONGEST_DELAY_SECONDS);
    await delayAttempt(sql, { orgId, deliveryId, ...due, seconds });
  }
  deliverSoon(ctx.deps, orgId);
  return outcome;
}

/** Members can redeliver. Throws `conflict` while attempts are left. */
export async function giveUpWebhookDelivery(
  { deps }: SystemContext<'clock' | 'log' | 'sql' | 'temporal'>,
  { orgId, deliveryId }: contracts.WebhookDeliveryInput,
): Promise<void> {
  if ((await queries.countAttempts(deps.sql, { orgId, deliveryId })) < contracts.MAX_ATTEMPTS) {
    throw new AppError('conflict', 'This delivery has attempts left.');
  }
  await queries.finishDelivery(deps.sql, { orgId, deliveryId, status: 'failed', at: deps.clock() });
  deliverSoon(deps, orgId);
}
