import type { OrgContext } from '../../../context.ts';
import { notFound } from '../../../shared/errors.ts';
import { disableKey } from './queries.ts';

/** Revokes an organization key; it is refused within 5 s everywhere. Throws `not_found`. */
export async function revokeKey(
  { deps, orgId }: Pick<OrgContext, 'deps' | 'orgId'>,
  { keyId }: { keyId: string },
): Promise<void> {
  if (!(await disableKey(deps.sql, orgId, keyId, deps.clock()))) throw notFound();
  deps.identity.authenticator.forgetKey(keyId);
}
