import type { MemberContext } from '../../../context.ts';
import type { Role } from '../../../shared/permissions.ts';
import { authHeaders } from '../accounts/visitor.ts';
import { audit } from '../organizations/audit.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import { findChangeableMember } from './find-member.ts';
import type { Member } from './model.ts';

/**
 * Gives a member of the active organization another role. Throws `not_found`,
 * `permission_denied` when an admin touches an owner or makes one, `conflict` for the last owner.
 */
export async function changeMemberRole(
  ctx: MemberContext,
  { memberId, role }: { memberId: string; role: Role },
): Promise<Member> {
  const { auth, authenticator } = ctx.deps.identity;
  const member = await findChangeableMember(ctx, memberId);
  await callAuth(() =>
    auth.api.updateMemberRole({
      body: { memberId, role, organizationId: ctx.orgId },
      headers: authHeaders(ctx),
    }),
  );
  authenticator.forgetUser(member.userId);
  audit(ctx, 'member_role_changed', { userId: member.userId, from: member.role, to: role });
  return { ...member, role };
}
