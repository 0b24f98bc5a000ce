import { createHmac } from 'node:crypto';
import type { Deps } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import { toPublicUrl } from '../../shared/own-origin.ts';
import { isSameSecret } from '../../shared/same-secret.ts';
import type { DestinationKind } from './destination.model.ts';
import { markGone } from './destinations-queries.ts';
import type { Ends, OffQuery } from './model.ts';
import { switchMessagesOff } from './queries.ts';

type Signing = Pick<Deps, 'identity'>;

function signEnds({ identity }: Signing, { org, what, destination }: Ends): string {
  // Older links stay valid.
  const text = `${what === 'digest' ? 'digests' : what}-off:${org}`;
  return createHmac('sha256', identity.signingSecret)
    .update(destination === undefined ? text : `${text}:${destination}`)
    .digest('base64url');
}

function offLink(deps: Signing & Pick<Deps, 'config'>, ends: Ends): string {
  const { org, what, destination } = ends;
  const query = new URLSearchParams({ org, token: signEnds(deps, ends) });
  if (what !== 'digest') query.set('what', what);
  if (destination !== undefined) query.set('destination', destination);
  return `${toPublicUrl(deps.config)}/v1/digests/off?${query}`;
}

export function linkFor(
  deps: Signing & Pick<Deps, 'config'>,
  { org, what }: Pick<Ends, 'org' | 'what'>,
  { kind, destinationId }: { kind: DestinationKind; destinationId: string },
): string {
  return offLink(deps, kind === 'mail' ? { org, what, destination: destinationId } : { org, what });
}

export function openOffLink(
  deps: Signing,
  { org, token, what = 'digest', destination }: OffQuery,
): Ends {
  const ends = destination === undefined ? { org, what } : { org, what, destination };
  if (!isSameSecret(token, signEnds(deps, ends))) throw notFound();
  return ends;
}

/** Posts to the destination, else all messages. */
export async function endPosts(
  { sql, clock }: Pick<Deps, 'clock' | 'sql'>,
  { org: orgId, destination: destinationId }: Ends,
): Promise<void> {
  if (destinationId === undefined) return switchMessagesOff(sql, orgId, clock());
  const reader = { orgId, destinationId };
  await markGone(sql, reader, 'Its reader has ended it by the link in a message.');
}
