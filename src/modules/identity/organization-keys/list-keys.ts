import type { OrgContext } from '../../../context.ts';
import { toIso, toIsoOrNull } from '../../../shared/time.ts';
import type { OrganizationKey } from './model.ts';
import { parseStoredPermissions } from './organization-key.ts';
import { type KeyRow, listKeyRows } from './queries.ts';

function toOrganizationKey(row: KeyRow): OrganizationKey {
  return {
    id: row.id,
    name: row.name ?? '',
    prefix: row.start ?? '',
    permissions: parseStoredPermissions(row.permissions),
    createdAt: toIso(row.createdAt),
    // Nothing else ever changes a key's row, so its last change is the revocation.
    revokedAt: row.enabled ? null : toIso(row.updatedAt),
    createdBy: row.createdBy,
    lastUsedAt: toIsoOrNull(row.lastUsedAt),
  };
}

/** The organization's keys, revoked ones included, oldest first; never their secrets. */
export async function listKeys({
  deps,
  orgId,
}: Pick<OrgContext, 'deps' | 'orgId'>): Promise<OrganizationKey[]> {
  return (await listKeyRows(deps.sql, orgId)).map(toOrganizationKey);
}
