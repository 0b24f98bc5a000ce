import type { MemberContext } from '../../../context.ts';
import { authHeaders } from '../accounts/visitor.ts';
import { audit } from '../organizations/audit.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import { findChangeableMember } from './find-member.ts';

/**
 * Takes somebody out of the active organization. Throws `not_found`, `permission_denied` when an
 * admin removes an owner, `conflict` for the last owner.
 */
export async function removeMember(
  ctx: MemberContext,
  { memberId }: { memberId: string },
): Promise<{ status: true }> {
  const { auth, authenticator } = ctx.deps.identity;
  const member = await findChangeableMember(ctx, memberId);
  await callAuth(() =>
    auth.api.removeMember({
      body: { memberIdOrEmail: member.id, organizationId: ctx.orgId },
      headers: authHeaders(ctx),
    }),
  );
  authenticator.forgetUser(member.userId);
  audit(ctx, 'member_removed', { userId: member.userId, role: member.role });
  return { status: true };
}
