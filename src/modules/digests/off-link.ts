import { createHmac } from 'node:crypto';
import type { Deps } from '../../context.ts';
import { publicUrlOf } from '../../shared/own-origin.ts';
import { isSameSecret } from '../../shared/same-secret.ts';
import type { DestinationKind, Ends } from './model.ts';

type Signing = Pick<Deps, 'identity'>;

function tokenOf({ identity }: Signing, { org, what, destination }: Ends): string {
  // Links that were sent earlier hold: `digests-off:…` is that of every digest.
  const text = `${what === 'digest' ? 'digests' : what}-off:${org}`;
  return createHmac('sha256', identity.signingSecret)
    .update(destination === undefined ? text : `${text}:${destination}`)
    .digest('base64url');
}

/** A page that ends what is sent, without a login. */
export function offLink(deps: Signing & Pick<Deps, 'config'>, ends: Ends): string {
  const { org, what, destination } = ends;
  const query = new URLSearchParams({ org, token: tokenOf(deps, ends) });
  if (what !== 'digest') query.set('what', what);
  if (destination !== undefined) query.set('destination', destination);
  return `${publicUrlOf(deps.config)}/v1/digests/off?${query}`;
}

/** The reader of a mail ends it for that address, of anything else for the organization. */
export function linkFor(
  deps: Signing & Pick<Deps, 'config'>,
  { org, what }: Pick<Ends, 'org' | 'what'>,
  { kind, destinationId }: { kind: DestinationKind; destinationId: string },
): string {
  return offLink(deps, kind === 'mail' ? { org, what, destination: destinationId } : { org, what });
}

export function isOffToken(deps: Signing, ends: Ends, token: string): boolean {
  return isSameSecret(token, tokenOf(deps, ends));
}
