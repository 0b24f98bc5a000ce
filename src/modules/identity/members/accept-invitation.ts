import type { VisitorContext, WithCookies } from '../../../context.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import type { CurrentSession } from '../accounts/model.ts';
import { showSession } from '../accounts/show-session.ts';
import { authHeaders } from '../accounts/visitor.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import { joinByInvitation } from './invitations-queries.ts';

const MAX_MEMBERS = 500;

/**
 * Joins the organization of an invitation, which becomes the active one of this session.
 * Throws `not_found` for an invitation that is unknown, used, too old or somebody else's,
 * `conflict` for a member, and where the organization is full.
 */
export async function acceptInvitation(
  ctx: VisitorContext & { userId: string },
  { invitationId }: { invitationId: string },
): Promise<WithCookies<CurrentSession>> {
  const {
    sql,
    clock,
    identity: { auth, authenticator },
  } = ctx.deps;
  const joined = await joinByInvitation(sql, {
    secret: invitationId,
    userId: ctx.userId,
    now: clock(),
    maxMembers: MAX_MEMBERS,
  });
  if (joined === 'none') throw notFound();
  if (joined === 'member') throw new AppError('conflict', 'You are a member already.');
  if (joined === 'full') {
    throw new AppError('conflict', 'The organization has as many members as it may have.');
  }
  await callAuth(() =>
    auth.api.setActiveOrganization({
      body: { organizationId: joined.orgId },
      headers: authHeaders(ctx),
    }),
  );
  authenticator.forgetUser(ctx.userId);
  return showSession(ctx);
}
