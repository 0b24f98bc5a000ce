import { type Static, Type } from '@sinclair/typebox';
import { PERMISSIONS } from '../../../shared/permissions.ts';
import { DateTime, Named, Nullable, OneOf } from '../../../shared/schema.ts';
import { Name } from '../../../shared/text.ts';

export const OrganizationKey = Named('OrganizationKey', {
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

export const NewKey = Named(
  'NewOrganizationKey',
  {
    name: Name(1, 60),
    permissions: Type.Array(OneOf(PERMISSIONS), {
      minItems: 1,
      maxItems: PERMISSIONS.length,
      uniqueItems: true,
    }),
  },
  { examples: [{ name: 'Reporting', permissions: ['analytics:read', 'app:read'] }] },
);
export type NewKey = Static<typeof NewKey>;

export const CreatedKey = Named('CreatedOrganizationKey', {
  key: OrganizationKey,
  secret: Type.String({ description: 'The whole key, shown once' }),
});
export type CreatedKey = Static<typeof CreatedKey>;
