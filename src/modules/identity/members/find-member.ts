import type { MemberContext } from '../../../context.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import type { Member } from './model.ts';
import { findMemberRow } from './queries.ts';

/** The member of the active organization that the caller wants to change; owners only by owners. */
export async function findChangeableMember(ctx: MemberContext, memberId: string): Promise<Member> {
  const member = await findMemberRow(ctx.deps.sql, ctx.orgId, memberId);
  if (!member) throw notFound();
  if (member.role === 'owner' && ctx.role !== 'owner') {
    throw new AppError('permission_denied', 'You may not do this.', {
      hint: 'Only an owner changes an owner.',
    });
  }
  return member;
}
