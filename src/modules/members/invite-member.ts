import type { Role } from '../../shared/permissions.ts';
import { toIso } from '../../shared/time.ts';
import { authHeaders } from '../accounts/visitor.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import { invitationLink } from '../organizations/mails.ts';
import type { MemberContext } from '../organizations/member-context.ts';
import type { NewInvitation } from './model.ts';

/**
 * Invites somebody to the active organization. The id is the secret that they accept with, so it
 * is in this answer (and the mail) only; inviting again makes another and ends the first.
 * Throws `conflict` for a member, and `permission_denied` when an admin invites an owner.
 */
export async function inviteMember(
  ctx: MemberContext,
  { email, role }: { email: string; role: Role },
): Promise<NewInvitation> {
  const { auth, consoleUrl, mailer } = ctx.deps.identity;
  const made = await callAuth(() =>
    auth.api.createInvitation({
      body: { organizationId: ctx.orgId, email, role },
      headers: authHeaders(ctx),
    }),
  );
  return {
    id: made.id,
    link: invitationLink(consoleUrl, made.id),
    mailed: mailer !== null,
    email: made.email,
    role,
    expiresAt: toIso(made.expiresAt),
    createdAt: toIso(ctx.deps.clock()),
  };
}
