import type { OrgContext } from '../../../context.ts';
import { listOpenInvitations } from './invitations-queries.ts';
import type { Invitation } from './model.ts';

/** The open invitations of the active organization, newest first, without their secrets. */
export async function listInvitations({ deps, orgId }: OrgContext): Promise<Invitation[]> {
  return listOpenInvitations(deps.sql, orgId, deps.clock());
}
