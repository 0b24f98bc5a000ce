import type { Deps } from '../../context.ts';
import { EgressError } from '../../providers/egress/port.ts';
import { messageOf } from '../../shared/errors.ts';
import { publicUrlOf } from '../../shared/own-origin.ts';
import { type Outgoing, postBody, subjectOf } from './formats.ts';
import type { Outcome } from './posts.ts';
import { findReader, type SealedDestination } from './queries.ts';

export const TARGET_PURPOSE = 'digest-destination';

/** Slack: a webhook that was revoked, its channel archived. Discord: deleted. */
const GONE = new Set([401, 403, 404, 410]);

function ofStatus(status: number, retryAfterSeconds: number | null): Outcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const reason = `The address answered ${status}.`;
  if (GONE.has(status)) return { kind: 'gone', reason };
  return { kind: 'retry', reason, retryAfterSeconds };
}

function ofFault({ fault, message: reason }: EgressError): Outcome {
  if (fault === 'forbidden' || fault === 'redirect') return { kind: 'gone', reason };
  if (fault === 'network') return { kind: 'retry', reason, retryAfterSeconds: null };
  return { kind: 'unknown', reason };
}

type Needs = Pick<Deps, 'config' | 'egress' | 'identity' | 'secrets' | 'sql'>;

/** Mail servers and clients show what comes again under the same Message-ID once. */
const messageIdOf = ({ config }: Pick<Deps, 'config'>, { id }: Outgoing): string =>
  `<${id.replaceAll('/', '.')}@${new URL(publicUrlOf(config)).hostname}>`;

/** Asked with each mail: a destination of an earlier release outlives the membership of its reader. */
async function mail(
  deps: Needs,
  { orgId, to }: { orgId: string; to: string },
  outgoing: Outgoing,
): Promise<Outcome> {
  const { mailer } = deps.identity;
  if (!mailer) return { kind: 'gone', reason: 'This service sends no mail any more.' };
  if ((await findReader(deps.sql, orgId, to)) === null) {
    return { kind: 'gone', reason: 'Its reader is no member any more.' };
  }
  const { text, offLink: unsubscribe } = outgoing;
  const messageId = messageIdOf(deps, outgoing);
  try {
    await mailer.send({ to, subject: subjectOf(outgoing), text, messageId, unsubscribe });
    return { kind: 'sent' };
  } catch (thrown) {
    return { kind: 'retry', reason: messageOf(thrown), retryAfterSeconds: null };
  }
}

/** Sends one message to one destination, once. */
export async function deliver(
  deps: Needs,
  { orgId, kind, sealedTarget }: SealedDestination & { orgId: string },
  outgoing: Outgoing,
): Promise<Outcome> {
  const target = deps.secrets.open({ orgId, purpose: TARGET_PURPOSE }, sealedTarget);
  if (kind === 'mail') return mail(deps, { orgId, to: target }, outgoing);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(kind === 'json' && { 'webhook-id': outgoing.id }),
  };
  try {
    const { status, retryAfterSeconds = null } = await deps.egress.post({
      url: target,
      headers,
      body: postBody(kind, outgoing),
    });
    return ofStatus(status, retryAfterSeconds);
  } catch (thrown) {
    if (thrown instanceof EgressError) return ofFault(thrown);
    throw thrown;
  }
}
