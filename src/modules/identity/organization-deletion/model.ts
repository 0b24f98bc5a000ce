import { type Static, Type } from '@sinclair/typebox';
import { Named } from '../../../shared/schema.ts';
import { Text } from '../../../shared/text.ts';

export const DeleteOrganizationQuery = Type.Object({
  confirm: Text(1, 200, { description: "The organization's slug, typed to confirm" }),
});

export const DeletedOrganization = Named('DeletedOrganization', {
  deleted: Type.Literal(true),
  id: Type.String(),
  name: Type.String(),
  note: Type.String(),
});
export type DeletedOrganization = Static<typeof DeletedOrganization>;
