import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Nullable } from '../../../shared/schema.ts';
import { Name } from '../../../shared/text.ts';
import { AuthId } from '../accounts/model.ts';

const OrganizationName = Name(1, 80);
const OrganizationSlug = Type.String({
  pattern: '^[a-z][a-z0-9-]{1,46}[a-z0-9]$',
  description: '3 to 48 characters: a-z, 0-9 and hyphens',
});

export const Organization = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  createdAt: DateTime,
});
export type Organization = Static<typeof Organization>;

export const CreateOrganizationBody = Type.Object({
  name: OrganizationName,
  slug: Type.Optional(OrganizationSlug),
});
export const UpdateOrganizationBody = Type.Object({
  name: Type.Optional(OrganizationName),
  slug: Type.Optional(OrganizationSlug),
});
export const SetActiveBody = Type.Object({ organizationId: Nullable(AuthId) });
export const LeaveBody = Type.Object({ organizationId: AuthId });
