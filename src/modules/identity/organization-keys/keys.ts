import type { MemberContext, OrgContext } from '../../../context.ts';
import { must } from '../../../shared/assert.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import { type Permission, ROLE_PERMISSIONS } from '../../../shared/permissions.ts';
import { toIso, toIsoOrNull } from '../../../shared/time.ts';
import { groupPermissions } from '../auth/access-control.ts';
import { callAuth } from '../auth/auth-errors.ts';
import { ORGANIZATION_KEYS } from '../auth/auth.ts';
import { audit, type IdentityContext } from '../auth/identity.ts';
import * as queries from '../auth/keys-queries.ts';
import { parseStoredPermissions } from '../auth/organization-key.ts';
import { together } from '../auth/together.ts';
import type { CreatedKey, NewKey, OrganizationKey } from '../model/organization-key.ts';

export { organizationKeyExists } from '../auth/keys-queries.ts';

const MAX_KEYS = 100;

export type KeyInput = {
  orgId: string;
  userId: string;
  name: string;
  permissions: readonly Permission[];
};

const toOrganizationKey = (row: queries.KeyRow): OrganizationKey => ({
  id: row.id,
  name: must(row.name, 'every key is created with a name'),
  prefix: must(row.start, 'better-auth stores the first characters of every key'),
  permissions: parseStoredPermissions(row.permissions),
  createdAt: toIso(row.createdAt),
  // Revocation is the only change of a key's row.
  revokedAt: row.enabled ? null : toIso(row.updatedAt),
  createdBy: row.createdBy,
  lastUsedAt: toIsoOrNull(row.lastUsedAt),
});

export async function createKey(
  { deps: { identity, sql } }: IdentityContext,
  { orgId, userId, name, permissions }: KeyInput,
): Promise<CreatedKey> {
  if ((await queries.countEnabledKeys(sql, orgId)) >= MAX_KEYS) {
    throw new AppError('conflict', `An organization has at most ${MAX_KEYS} keys.`, {
      hint: 'Revoke keys that are no longer used.',
    });
  }
  const body = {
    configId: ORGANIZATION_KEYS,
    organizationId: orgId,
    userId,
    name,
    permissions: groupPermissions(permissions),
  };
  return together(sql, async (db) => {
    const created = await callAuth(() => identity.auth.api.createApiKey({ body }));
    const row = await queries.setKeyMaker(db, { orgId, keyId: created.id, userId });
    return { key: toOrganizationKey(row), secret: created.key };
  });
}

export async function createOwnKey(
  ctx: MemberContext<'identity' | 'log' | 'sql'>,
  input: NewKey,
): Promise<CreatedKey> {
  const held = ROLE_PERMISSIONS[ctx.role];
  const excess = input.permissions.filter((permission) => !held.includes(permission));
  if (excess.length > 0) {
    throw new AppError('permission_denied', 'A key cannot do more than its creator.', {
      hint: `permissions: you do not hold ${excess.join(', ')}`,
    });
  }
  const created = await createKey(ctx, { ...input, orgId: ctx.orgId, userId: ctx.userId });
  audit(ctx, 'key_created', { keyId: created.key.id, permissions: input.permissions });
  return created;
}

export async function listKeys({
  deps,
  orgId,
}: Pick<OrgContext<'sql'>, 'deps' | 'orgId'>): Promise<OrganizationKey[]> {
  return (await queries.listKeyRows(deps.sql, orgId)).map(toOrganizationKey);
}

export async function revokeKey(
  { deps, orgId }: Pick<OrgContext<'clock' | 'identity' | 'sql'>, 'deps' | 'orgId'>,
  { keyId }: { keyId: string },
): Promise<void> {
  if (!(await queries.disableKey(deps.sql, orgId, keyId, deps.clock()))) throw notFound();
  deps.identity.authenticator.forgetKey(keyId);
}
