import { FIELD_RULES } from '../../../shared/field-rules.ts';
import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable } from '../../../shared/schema.ts';
import { Name, Text } from '../../../shared/text.ts';
import { AuthId } from './account.ts';

export const MAX_ORGANIZATIONS = 50;

const OrganizationName = Name(1, 80);
const OrganizationSlug = Type.String({
  ...FIELD_RULES.organizationSlug,
  description: '3 to 48 characters: a-z, 0-9 and hyphens',
});

export const Organization = Named('Organization', {
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  createdAt: DateTime,
});
export type Organization = Static<typeof Organization>;

export const ListQuery = Type.Object({
  app: Type.Optional(Text(1, 64, { description: 'Only the one that has the app with this id' })),
});
export const CreateOrganizationBody = Named(
  'CreateOrganizationBody',
  {
    name: OrganizationName,
    slug: Type.Optional(OrganizationSlug),
  },
  { examples: [{ name: 'Example Apps', slug: 'example-apps' }] },
);
export const UpdateOrganizationBody = Named(
  'UpdateOrganizationBody',
  {
    name: Type.Optional(OrganizationName),
    slug: Type.Optional(OrganizationSlug),
  },
  { examples: [{ name: 'Example Apps Ltd' }] },
);
export const SetActiveBody = Named(
  'SetActiveOrganizationBody',
  { organizationId: Nullable(AuthId) },
  { examples: [{ organizationId: null }] },
);
export const LeaveBody = Named(
  'LeaveOrganizationBody',
  { organizationId: AuthId },
  { examples: [{ organizationId: 'Zr3kQ0wVb5' }] },
);
