import type { MemberContext, OrgContext, SystemContext } from '../../../context.ts';
import { AppError, orNotFound } from '../../../shared/errors.ts';
import type { Role } from '../../../shared/permissions.ts';
import { cancelOpenInvitations, lockOrganization } from '../accounts/invitations-queries.ts';
import { checkAddressProved } from '../accounts/operator.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import { callAs } from '../accounts/visitor.ts';
import { callAuth } from '../auth/auth-errors.ts';
import { audit } from '../auth/identity.ts';
import { organizationExists } from '../auth/organizations-queries.ts';
import { together } from '../auth/together.ts';
import type { Done } from '../model/account.ts';
import type { Member } from '../model/member.ts';
import { barMember, findMemberRow, listMemberRows, upsertMember } from './queries.ts';

export async function listMembers({ deps, orgId }: OrgContext<'sql'>): Promise<Member[]> {
  return listMemberRows(deps.sql, orgId);
}

/** Only owners change owners. */
async function findChangeableMember(ctx: MemberContext<'sql'>, memberId: string): Promise<Member> {
  const member = orNotFound(await findMemberRow(ctx.deps.sql, ctx.orgId, memberId));
  if (member.role === 'owner' && ctx.role !== 'owner') {
    throw new AppError('permission_denied', 'You may not do this.', {
      hint: 'Only an owner changes an owner.',
    });
  }
  return member;
}

export async function changeMemberRole(
  ctx: MemberContext<'identity' | 'log' | 'sql'>,
  { memberId, role }: { memberId: string; role: Role },
): Promise<Member> {
  const member = await findChangeableMember(ctx, memberId);
  const body = { memberId, role, organizationId: ctx.orgId };
  await together(ctx.deps.sql, () =>
    callAs(ctx, (api, headers) => api.updateMemberRole({ body, headers })),
  );
  ctx.deps.identity.authenticator.forgetUser(member.userId);
  audit(ctx, 'member_role_changed', { userId: member.userId, from: member.role, to: role });
  return { ...member, role };
}

export async function removeMember(
  ctx: MemberContext<'clock' | 'identity' | 'log' | 'sql'>,
  { memberId }: { memberId: string },
): Promise<Done> {
  const member = await findChangeableMember(ctx, memberId);
  const body = { memberIdOrEmail: member.id, organizationId: ctx.orgId };
  await together(ctx.deps.sql, async (db) => {
    await lockOrganization(db, ctx.orgId);
    await cancelOpenInvitations(db, ctx.orgId, member.email);
    await callAs(ctx, (api, headers) => api.removeMember({ body, headers }));
    await barMember(db, { orgId: ctx.orgId, userId: member.userId, now: ctx.deps.clock() });
  });
  ctx.deps.identity.authenticator.forgetUser(member.userId);
  audit(ctx, 'member_removed', { userId: member.userId, role: member.role });
  return { status: true };
}

export type SetRoleInput = {
  orgId: string;
  email: string;
  role: Role;
  /** The operator vouches for an unproved address. */
  existing?: boolean | undefined;
};

export async function setMemberRole(
  { deps: { sql, clock, log } }: Pick<SystemContext<'clock' | 'log' | 'sql'>, 'deps'>,
  { orgId, email, role, existing }: SetRoleInput,
): Promise<{ email: string; userId: string; role: Role }> {
  const user = await findUserByEmail(sql, email);
  if (!user) throw new AppError('not_found', `There is no account "${email}".`);
  checkAddressProved(user, existing);
  if (!(await organizationExists(sql, orgId))) {
    throw new AppError('not_found', `There is no organization "${orgId}".`);
  }
  await callAuth(() => upsertMember(sql, { orgId, userId: user.id, role, now: clock() }));
  log.info({ audit: 'member_role_set', orgId, userId: user.id, role }, 'operator set a role');
  return { email: email.toLowerCase(), userId: user.id, role };
}
