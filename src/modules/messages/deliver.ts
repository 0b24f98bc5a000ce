import type { Deps } from '../../context.ts';
import { type PostResult, tryPost } from '../../providers/egress/port.ts';
import { errorMessage } from '../../shared/errors.ts';
import { toPublicUrl } from '../../shared/own-origin.ts';
import { findReader, type SealedDestination } from './destinations-queries.ts';
import { type Outgoing, postBody, toSubject } from './formats.ts';
import type { Outcome } from './posts.ts';

export const TARGET_PURPOSE = 'digest-destination';

/** Slack: webhook revoked or channel archived. Discord: webhook deleted. */
const GONE = new Set([401, 403, 404, 410]);

function toOutcome({ isAccepted, status, fault, reason, retryAfterSeconds }: PostResult): Outcome {
  if (isAccepted) return { kind: 'sent' };
  const isGone = status === null ? fault === 'forbidden' || fault === 'redirect' : GONE.has(status);
  if (isGone) return { kind: 'gone', reason };
  if (status === null && fault !== 'network') return { kind: 'unknown', reason };
  return { kind: 'retry', reason, retryAfterSeconds };
}

type Needs = Pick<Deps, 'config' | 'egress' | 'identity' | 'secrets' | 'sql'>;

/** Mail servers and clients show a repeated Message-ID once. */
const toMessageId = ({ config }: Pick<Deps, 'config'>, { id }: Outgoing): string =>
  `<${id.replaceAll('/', '.')}@${new URL(toPublicUrl(config)).hostname}>`;

/** Destinations of older releases outlive membership. */
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
  const messageId = toMessageId(deps, outgoing);
  try {
    await mailer.send({ to, subject: toSubject(outgoing), text, messageId, unsubscribe });
    return { kind: 'sent' };
  } catch (thrown) {
    return { kind: 'retry', reason: errorMessage(thrown), retryAfterSeconds: null };
  }
}

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
  const body = postBody(kind, outgoing);
  return toOutcome(await tryPost(deps.egress, { url: target, headers, body }));
}
