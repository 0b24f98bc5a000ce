import { authHeaders, type VisitorContext } from '../accounts/visitor.ts';
import { callAuth } from '../organizations/auth-errors.ts';

/** Turns an invitation down. Throws `not_found` for one that is not the caller's. */
export async function rejectInvitation(
  ctx: VisitorContext,
  { invitationId }: { invitationId: string },
): Promise<{ status: true }> {
  await callAuth(() =>
    ctx.deps.identity.auth.api.rejectInvitation({
      body: { invitationId },
      headers: authHeaders(ctx),
    }),
  );
  return { status: true };
}
