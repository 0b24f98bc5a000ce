import type { SystemContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Role } from '../../../shared/permissions.ts';
import { checkAddressProved } from '../accounts/address-proved.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import { organizationExists } from '../organizations/queries.ts';
import { upsertMember } from './queries.ts';

export type SetRoleInput = {
  orgId: string;
  email: string;
  role: Role;
  /** True: the operator knows whose an account with an unproved address is. */
  existing?: boolean | undefined;
};

/**
 * Gives an account a role in an organization, as a new member where it is none yet. For
 * operators. Throws `not_found`, and `conflict` for the last owner and for an account
 * that has not proved its address, unless it is said to be meant.
 */
export async function setMemberRole(
  { deps: { sql, clock, log } }: Pick<SystemContext, 'deps'>,
  { orgId, email, role, existing }: SetRoleInput,
): Promise<{ email: string; userId: string; role: Role }> {
  const user = await findUserByEmail(sql, email);
  if (!user) throw new AppError('not_found', `There is no account "${email}".`);
  checkAddressProved(user, existing);
  if (!(await organizationExists(sql, orgId))) {
    throw new AppError('not_found', `There is no organization "${orgId}".`);
  }
  await callAuth(() => upsertMember(sql, { orgId, userId: user.id, role, now: clock() }));
  log.info({ audit: 'member_role_set', orgId, userId: user.id, role }, 'An operator set a role');
  return { email: email.toLowerCase(), userId: user.id, role };
}
