import type { OrgContext } from '../../../context.ts';
import type { Member } from './model.ts';
import { listMemberRows } from './queries.ts';

/** The members of the active organization, oldest membership first. */
export async function listMembers({ deps, orgId }: OrgContext): Promise<Member[]> {
  return listMemberRows(deps.sql, orgId);
}
