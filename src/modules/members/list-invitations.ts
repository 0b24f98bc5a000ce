import type { OrgContext } from '../../context.ts';
import type { Invitation } from './model.ts';
import { listOpenInvitations } from './store.ts';

/** The open invitations of the active organization, newest first, without their secrets. */
export async function listInvitations({ deps, orgId }: OrgContext): Promise<Invitation[]> {
  return listOpenInvitations(deps.sql, orgId, deps.clock());
}
