import type { Deps } from '../../context.ts';
import { EgressError } from '../../providers/egress/port.ts';
import { messageOf } from '../../shared/errors.ts';
import { type Message, postBody } from './formats.ts';
import type { SealedDestination } from './queries.ts';

export const TARGET_PURPOSE = 'digest-destination';

export type Outcome =
  | { kind: 'sent' }
  /** Never again: the address is not there any more, or may not be reached. */
  | { kind: 'gone'; reason: string }
  | { kind: 'retry'; reason: string; retryAfterSeconds: number | null }
  /** Nobody knows whether it arrived; it is not repeated. */
  | { kind: 'unknown'; reason: string };

/** Slack: a webhook that was revoked, its channel archived. Discord: deleted. */
const GONE = new Set([401, 403, 404, 410]);

function ofStatus(status: number, retryAfterSeconds: number | null): Outcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const reason = `The address answered ${status}.`;
  if (GONE.has(status)) return { kind: 'gone', reason };
  return { kind: 'retry', reason, retryAfterSeconds };
}

function ofFault({ fault, message: reason }: EgressError, isRepeatable: boolean): Outcome {
  if (fault === 'forbidden' || fault === 'redirect') return { kind: 'gone', reason };
  if (fault === 'network' || isRepeatable)
    return { kind: 'retry', reason, retryAfterSeconds: null };
  return { kind: 'unknown', reason };
}

/** Sends one message to one destination, once. */
export async function deliver(
  { egress, identity, secrets }: Pick<Deps, 'egress' | 'identity' | 'secrets'>,
  { orgId, kind, sealedTarget }: SealedDestination & { orgId: string },
  message: Message,
): Promise<Outcome> {
  const target = secrets.open({ orgId, purpose: TARGET_PURPOSE }, sealedTarget);
  if (kind === 'mail') {
    if (!identity.mailer) return { kind: 'gone', reason: 'This service sends no mail any more.' };
    const [subject = 'Morning digest'] = message.text.split('\n');
    try {
      await identity.mailer.send({ to: target, subject, text: message.text });
      return { kind: 'sent' };
    } catch (thrown) {
      return { kind: 'retry', reason: messageOf(thrown), retryAfterSeconds: null };
    }
  }
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(kind === 'json' && { 'webhook-id': message.id }),
  };
  try {
    const body = postBody(kind, message);
    const { status, retryAfterSeconds = null } = await egress.post({ url: target, headers, body });
    return ofStatus(status, retryAfterSeconds);
  } catch (thrown) {
    // The receiver of JSON knows a repetition by its id.
    if (thrown instanceof EgressError) return ofFault(thrown, kind === 'json');
    throw thrown;
  }
}
