import type { SystemContext } from '../../../context.ts';
import { AppError, orNotFound } from '../../../shared/errors.ts';
import { organizationDeletionContract } from '../../../temporal/contracts/organizations.ts';
import { ensureSoon } from '../../../temporal/ensure.ts';
import type { DeletedOrganization } from './model.ts';
import { deleteOrganizationRow, hideApps, insertDeletion, lockOrganization } from './queries.ts';

const NOTE =
  "The organization's apps, keys, connections and files are being removed. Accounts of its people, code repositories and backend projects at their provider stay as they are.";

/** `organizationDeletion/<orgId>` deletes the rest. */
export async function deleteOrganization(
  { deps }: SystemContext<'clock' | 'identity' | 'log' | 'sql' | 'temporal'>,
  { orgId, confirm, requestedBy }: { orgId: string; confirm: string; requestedBy: string },
): Promise<DeletedOrganization> {
  const at = deps.clock();
  const { name } = await deps.sql.begin(async (tx) => {
    const organization = orNotFound(await lockOrganization(tx, orgId));
    if (confirm !== organization.slug) {
      throw new AppError('confirmation_mismatch', 'The confirmation is not its slug.', {
        hint: `confirm: must be "${organization.slug}"`,
      });
    }
    await insertDeletion(tx, organization, { by: requestedBy, at });
    await hideApps(tx, orgId, at);
    await deleteOrganizationRow(tx, orgId);
    return organization;
  });
  deps.identity.authenticator.forgetOrganization(orgId);
  ensureSoon(deps, organizationDeletionContract, { orgId });
  return { deleted: true, id: orgId, name, note: NOTE };
}
