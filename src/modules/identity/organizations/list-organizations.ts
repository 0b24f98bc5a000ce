import type { UserContext } from '../../../context.ts';
import type { Organization } from './model.ts';
import { listOrganizationsOf } from './queries.ts';

/** The organizations that this person is a member of, oldest membership first. */
export async function listOrganizations({ deps, userId }: UserContext): Promise<Organization[]> {
  return listOrganizationsOf(deps.sql, userId);
}
