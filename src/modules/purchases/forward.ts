import type { SystemContext } from '../../context.ts';
import { EgressError } from '../../providers/egress/port.ts';
import { AppError, messageOf } from '../../shared/errors.ts';
import { signedHeaders } from '../../shared/webhook-signature.ts';
import type { ForwardRunInput } from '../../temporal/contracts/purchases.ts';
import {
  type Attempt,
  type Forward,
  type ForwardKey,
  failForward,
  noteAttempt,
  selectForward,
} from './forwards-queries.ts';
import { FORWARD_PURPOSE } from './settings.ts';

function keyOf(input: ForwardRunInput): ForwardKey {
  const { orgId, appId, notificationId } = input;
  const environment = input.environment === 'Sandbox' ? 'Sandbox' : 'Production';
  return { orgId, appId, notificationId, environment };
}

type Outcome = Omit<Attempt, 'at'>;

async function post(
  { deps }: SystemContext,
  key: ForwardKey,
  forward: { payload: string; url: string; sealedSecret: string },
): Promise<Outcome> {
  const scope = { orgId: key.orgId, purpose: FORWARD_PURPOSE };
  const secret = deps.secrets.open(scope, forward.sealedSecret);
  // The body is the store's own, so that a receiver made for the store works unchanged.
  const body = JSON.stringify({ signedPayload: forward.payload });
  const id = `${key.environment}:${key.notificationId}`;
  try {
    const { status } = await deps.egress.post({
      url: forward.url,
      headers: signedHeaders(secret, { id, at: deps.clock(), body }),
      body,
    });
    const delivered = status >= 200 && status < 300;
    return {
      state: delivered ? 'delivered' : 'pending',
      status,
      error: delivered ? null : `The address answered ${status}.`,
    };
  } catch (thrown) {
    if (!(thrown instanceof EgressError)) throw thrown;
    const forbidden = thrown.fault === 'forbidden';
    return { state: forbidden ? 'failed' : 'pending', status: null, error: messageOf(thrown) };
  }
}

const OFF: Outcome = { state: 'failed', status: null, error: 'Forwarding was switched off.' };

function deliver(ctx: SystemContext, key: ForwardKey, forward: Forward): Promise<Outcome> {
  const { url, sealedSecret, payload } = forward;
  if (url === null || sealedSecret === null) return Promise.resolve(OFF);
  return post(ctx, key, { url, sealedSecret, payload });
}

/**
 * One attempt to deliver a notification to the app's own address. Throws `unavailable` when another
 * attempt may succeed.
 */
export async function forwardNotification(
  ctx: SystemContext,
  input: ForwardRunInput,
): Promise<void> {
  const key = keyOf(input);
  const forward = await selectForward(ctx.deps.sql, key);
  if (!forward) return;
  const outcome = await deliver(ctx, key, forward);
  await noteAttempt(ctx.deps.sql, key, { ...outcome, at: ctx.deps.clock() });
  if (outcome.state !== 'pending') return;
  throw new AppError('unavailable', outcome.error ?? 'The address did not take it.');
}

/** After the last attempt. */
export function giveUpForward({ deps }: SystemContext, input: ForwardRunInput): Promise<void> {
  return failForward(deps.sql, keyOf(input), deps.clock());
}
