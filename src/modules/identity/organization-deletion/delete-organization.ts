import type { SystemContext } from '../../../context.ts';
import { AppError, orNotFound } from '../../../shared/errors.ts';
import { untilCallsEnd } from '../../../storage/outgoing-calls-queries.ts';
import { organizationDeletionContract } from '../../../temporal/contracts/organizations.ts';
import { ensureSoon } from '../../../temporal/ensure.ts';
import type { DeletedOrganization } from './model.ts';
import type { Tx } from '../../../storage/postgres.ts';
import * as queries from './queries.ts';

const NOTE =
  "The organization's apps, keys, connections and files are being removed. Accounts of its people, code repositories and backend projects at their provider stay as they are.";

async function end(
  tx: Tx,
  organization: queries.Named,
  request: { by: string; at: Date },
): Promise<void> {
  await queries.insertDeletion(tx, organization, request);
  await queries.hideApps(tx, organization.id, request.at);
  await queries.deleteOrganizationRow(tx, organization.id);
}

export async function endOrganizations(
  tx: Tx,
  orgIds: readonly string[],
  at: Date,
): Promise<number> {
  let ended = 0;
  for (const orgId of orgIds) {
    const organization = await queries.lockOrganization(tx, orgId);
    if (!organization) continue;
    await end(tx, organization, { by: 'restore', at });
    ended += 1;
  }
  return ended;
}

/** `organizationDeletion/<orgId>` deletes the rest. */
export async function deleteOrganization(
  { deps }: SystemContext<'clock' | 'identity' | 'log' | 'sql' | 'temporal'>,
  { orgId, confirm, requestedBy }: { orgId: string; confirm: string; requestedBy: string },
): Promise<DeletedOrganization> {
  const at = deps.clock();
  const { name } = await deps.sql.begin(async (tx) => {
    const organization = orNotFound(await queries.lockOrganization(tx, orgId));
    if (confirm !== organization.slug) {
      throw new AppError('confirmation_mismatch', 'The confirmation is not its slug.', {
        hint: `confirm: must be "${organization.slug}"`,
      });
    }
    await end(tx, organization, { by: requestedBy, at });
    return organization;
  });
  deps.identity.authenticator.forgetOrganization(orgId);
  ensureSoon(deps, organizationDeletionContract, { orgId });
  await untilCallsEnd(deps, orgId);
  return { deleted: true, id: orgId, name, note: NOTE };
}
