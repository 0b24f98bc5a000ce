import type { UserContext } from '../../../context.ts';
import { notFound } from '../../../shared/errors.ts';
import { rejectOpenInvitation } from './invitations-queries.ts';

/** Turns an invitation down. Throws `not_found` for one that is not the caller's. */
export async function rejectInvitation(
  { deps, userId }: UserContext,
  { invitationId }: { invitationId: string },
): Promise<{ status: true }> {
  const input = { secret: invitationId, userId, now: deps.clock() };
  if (!(await rejectOpenInvitation(deps.sql, input))) throw notFound();
  return { status: true };
}
