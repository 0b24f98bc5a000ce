import type { OrgContext } from '../../../context.ts';
import { notFound } from '../../../shared/errors.ts';
import { cancelOpenInvitations } from './invitations-queries.ts';

/** Ends the open invitation to an address. Throws `not_found` when there is none. */
export async function cancelInvitation(
  { deps, orgId }: OrgContext,
  { email }: { email: string },
): Promise<{ status: true }> {
  if (!(await cancelOpenInvitations(deps.sql, orgId, email))) throw notFound();
  return { status: true };
}
