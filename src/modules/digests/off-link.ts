import { createHmac } from 'node:crypto';
import type { Deps } from '../../context.ts';
import { publicUrlOf } from '../../shared/own-origin.ts';
import { isSameSecret } from '../../shared/same-secret.ts';

type Signing = Pick<Deps, 'identity'>;

function tokenOf({ identity }: Signing, orgId: string): string {
  return createHmac('sha256', identity.signingSecret)
    .update(`digests-off:${orgId}`)
    .digest('base64url');
}

/** Ends the digests of the organization without a login. */
export function offLink(deps: Signing & Pick<Deps, 'config'>, orgId: string): string {
  const query = new URLSearchParams({ org: orgId, token: tokenOf(deps, orgId) });
  return `${publicUrlOf(deps.config)}/v1/digests/off?${query}`;
}

export function isOffToken(deps: Signing, orgId: string, token: string): boolean {
  return isSameSecret(token, tokenOf(deps, orgId));
}
