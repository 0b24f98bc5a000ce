import type { SystemContext } from '../../../../context.ts';
import { tryPost } from '../../../../providers/egress/port.ts';
import { must } from '../../../../shared/assert.ts';
import { AppError } from '../../../../shared/errors.ts';
import { DAY_MS, HOUR_MS } from '../../../../shared/time.ts';
import { signedHeaders } from '../../../../shared/webhook-signature.ts';
import { asOutgoingCall } from '../../../../storage/outgoing-calls-queries.ts';
import type { ForwardRunInput } from '../../../../temporal/contracts/purchases.ts';
import { FORWARD_PURPOSE } from '../../entitlement/settings.ts';
import * as queries from './forwards-queries.ts';

type Outcome = Omit<queries.Attempt, 'at'>;

async function post(
  { deps }: SystemContext<'clock' | 'egress' | 'secrets'>,
  key: queries.ForwardKey,
  forward: { payload: string; url: string; sealedSecret: string },
): Promise<Outcome> {
  const scope = { orgId: key.orgId, purpose: FORWARD_PURPOSE };
  const secret = deps.secrets.open(scope, forward.sealedSecret);
  // Same body as the store's, for receivers written for the store.
  const body = JSON.stringify({ signedPayload: forward.payload });
  const id = `${key.environment}:${key.notificationId}`;
  const { isAccepted, status, fault, reason } = await tryPost(deps.egress, {
    url: forward.url,
    headers: signedHeaders([secret], { id, at: deps.clock(), body }),
    body,
  });
  if (isAccepted) return { state: 'delivered', status, error: null };
  return { state: fault === 'forbidden' ? 'failed' : 'pending', status, error: reason };
}

const OFF: Outcome = { state: 'failed', status: null, error: 'Forwarding was switched off.' };

type Needs = 'clock' | 'egress' | 'secrets' | 'sql';

/** One attempt. Throws `unavailable` when a retry may succeed. */
export const forwardPurchaseNotification = (
  ctx: SystemContext<Needs>,
  input: ForwardRunInput,
): Promise<void> => asOutgoingCall(ctx.deps.sql, input.orgId, () => attempt(ctx, input));

async function attempt(ctx: SystemContext<Needs>, input: ForwardRunInput): Promise<void> {
  const { orgId, appId, environment, notificationId } = input;
  const key = { orgId, appId, environment, notificationId };
  const forward = await queries.selectForward(ctx.deps.sql, key);
  if (!forward) return;
  const { url, sealedSecret, payload } = forward;
  const isOff = url === null || sealedSecret === null;
  const outcome = isOff ? OFF : await post(ctx, key, { url, sealedSecret, payload });
  await queries.recordAttempt(ctx.deps.sql, key, { ...outcome, at: ctx.deps.clock() });
  if (outcome.state !== 'pending') return;
  throw new AppError('unavailable', must(outcome.error, 'an attempt without success has an error'));
}

/** Just under the three days of its run. */
const TRIED_FOR_MS = 3 * DAY_MS - HOUR_MS;

export function giveUpPurchaseForward(
  { deps }: SystemContext<'clock' | 'sql'>,
  input: ForwardRunInput,
): Promise<void> {
  const at = deps.clock();
  return queries.failForward(deps.sql, input, {
    at,
    madeBefore: new Date(at.getTime() - TRIED_FOR_MS),
  });
}
