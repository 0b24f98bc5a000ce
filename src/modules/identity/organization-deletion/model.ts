import { type Static, Type } from '@sinclair/typebox';
import { Text } from '../../../shared/text.ts';

export const DeleteOrganizationQuery = Type.Object({
  confirm: Text(1, 200, { description: "The organization's slug, typed to confirm" }),
});

export const DeletedOrganization = Type.Object({
  deleted: Type.Literal(true),
  id: Type.String(),
  name: Type.String(),
  note: Type.String(),
});
export type DeletedOrganization = Static<typeof DeletedOrganization>;
