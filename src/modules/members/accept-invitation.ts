import type { CurrentSession } from '../accounts/model.ts';
import { showSession } from '../accounts/show-session.ts';
import { authHeaders, type VisitorContext, type WithCookies } from '../accounts/visitor.ts';
import { callAuth } from '../organizations/auth-errors.ts';

/**
 * Joins the organization of an invitation, which becomes the active one of this session.
 * Throws `not_found` for an invitation that is unknown, used, too old or somebody else's.
 */
export async function acceptInvitation(
  ctx: VisitorContext & { userId: string },
  { invitationId }: { invitationId: string },
): Promise<WithCookies<CurrentSession>> {
  const { auth, authenticator } = ctx.deps.identity;
  await callAuth(() =>
    auth.api.acceptInvitation({ body: { invitationId }, headers: authHeaders(ctx) }),
  );
  authenticator.forgetUser(ctx.userId);
  return showSession(ctx);
}
