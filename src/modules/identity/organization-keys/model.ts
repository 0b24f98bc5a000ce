import { type Static, Type } from '@sinclair/typebox';
import { PERMISSIONS } from '../../../shared/permissions.ts';
import { DateTime, Nullable, OneOf } from '../../../shared/schema.ts';
import { Name } from '../../../shared/text.ts';

export const OrganizationKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the secret' }),
  permissions: Type.Array(OneOf(PERMISSIONS)),
  createdAt: DateTime,
  revokedAt: Nullable(DateTime),
  createdBy: Nullable(
    Type.String({ description: 'Address of who made it; null when the account is gone' }),
  ),
  lastUsedAt: Nullable(DateTime),
});
export type OrganizationKey = Static<typeof OrganizationKey>;

export const NewKey = Type.Object({
  name: Name(1, 60),
  permissions: Type.Array(OneOf(PERMISSIONS), { minItems: 1, maxItems: 6, uniqueItems: true }),
});
export type NewKey = Static<typeof NewKey>;

export const CreatedKey = Type.Object({
  key: OrganizationKey,
  secret: Type.String({ description: 'The whole key, shown once' }),
});
export type CreatedKey = Static<typeof CreatedKey>;
