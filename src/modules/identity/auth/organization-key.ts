import { defaultKeyHasher } from '@better-auth/api-key';
import { Type } from '@sinclair/typebox';
import type { OrgKeyPrincipal } from '../../../shared/principal.ts';
import { parser } from '../../../shared/schema.ts';
import type { Db } from '../../../storage/postgres.ts';
import { flattenPermissions } from './access-control.ts';
import { findKeyByHash, noteKeyUse } from './keys-queries.ts';

const KEY_SHAPE = /^svk_[A-Za-z]{64}$/;

const storedPermissions = parser(
  Type.Record(Type.String(), Type.Array(Type.String())),
  'permissions of an organization key',
);

export function isOrganizationKey(secret: string): boolean {
  return KEY_SHAPE.test(secret);
}

export function parseStoredPermissions(stored: string | null) {
  return stored === null ? [] : flattenPermissions(storedPermissions.parse(JSON.parse(stored)));
}

/** better-auth's own check writes a row each time. */
export async function verifyOrganizationKey(
  db: Db,
  secret: string,
  now: Date,
): Promise<OrgKeyPrincipal | null> {
  const row = await findKeyByHash(db, await defaultKeyHasher(secret), now);
  if (!row) return null;
  // A failure does not reject the key.
  noteKeyUse(db, row.id, now).catch(() => undefined);
  return {
    kind: 'orgKey',
    keyId: row.id,
    orgId: row.orgId,
    permissions: parseStoredPermissions(row.permissions),
  };
}
