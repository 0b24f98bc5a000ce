import type { UserContext } from '../../../context.ts';
import { notFound } from '../../../shared/errors.ts';
import { findReceivedInvitation } from './invitations-queries.ts';
import type { ReceivedInvitation } from './model.ts';

/** An open invitation to the address of the caller. Throws `not_found` for any other. */
export async function showInvitation(
  { deps, userId }: UserContext,
  { id }: { id: string },
): Promise<ReceivedInvitation> {
  const found = await findReceivedInvitation(deps.sql, { secret: id, userId, now: deps.clock() });
  if (!found) throw notFound();
  return found;
}
