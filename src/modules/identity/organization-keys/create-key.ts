import { AppError } from '../../../shared/errors.ts';
import type { Permission } from '../../../shared/permissions.ts';
import { toIso } from '../../../shared/time.ts';
import { groupPermissions } from '../organizations/access-control.ts';
import { ORGANIZATION_KEYS } from '../organizations/auth.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import type { IdentityContext } from '../organizations/identity.ts';
import type { CreatedKey } from './model.ts';
import { countEnabledKeys, setKeyMaker } from './queries.ts';

const MAX_KEYS = 100;

export type KeyInput = {
  orgId: string;
  /** The member in whose name the key is made: an owner or admin of the organization. */
  userId: string;
  name: string;
  permissions: readonly Permission[];
};

/**
 * Makes an organization key; only its hash is stored, so the secret is in this answer and nowhere
 * else. Throws `conflict` when the organization has 100 keys that count.
 */
export async function createKey(
  { deps: { identity, sql } }: IdentityContext,
  { orgId, userId, name, permissions }: KeyInput,
): Promise<CreatedKey> {
  if ((await countEnabledKeys(sql, orgId)) >= MAX_KEYS) {
    throw new AppError('conflict', `An organization has at most ${MAX_KEYS} keys.`, {
      hint: 'Revoke keys that are no longer used.',
    });
  }
  const created = await callAuth(() =>
    identity.auth.api.createApiKey({
      body: {
        configId: ORGANIZATION_KEYS,
        organizationId: orgId,
        userId,
        name,
        permissions: groupPermissions(permissions),
      },
    }),
  );
  const createdBy = await setKeyMaker(sql, { orgId, keyId: created.id, userId });
  return {
    key: {
      id: created.id,
      name,
      prefix: created.start ?? '',
      permissions: [...permissions],
      createdAt: toIso(created.createdAt),
      revokedAt: null,
      createdBy,
      lastUsedAt: null,
    },
    secret: created.key,
  };
}
