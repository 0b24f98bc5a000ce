import { type Static, Type } from '@sinclair/typebox';
import { DEFAULT_REGION, REGIONS, Slug } from '../../shared/app.ts';
import { Named, OneOf } from '../../shared/schema.ts';
import { AnyText, Name } from '../../shared/text.ts';

export const CreateAppBody = Named(
  'NewApp',
  {
    slug: Slug,
    displayName: Name(1, 80),
    region: Type.Optional(OneOf(REGIONS, { whenLeftOut: DEFAULT_REGION })),
  },
  { examples: [{ slug: 'focus-timer', displayName: 'Focus Timer' }] },
);
export type CreateAppInput = Static<typeof CreateAppBody>;

export const DeleteAppQuery = Type.Object({
  confirm: Type.Optional(AnyText(0, 200, { description: "The app's slug, typed to confirm." })),
});

export const DeletedApp = Named('DeletedApp', {
  deleted: Type.Literal(true),
  id: Type.String(),
  displayName: Type.String(),
  note: Type.String(),
});
export type DeletedApp = Static<typeof DeletedApp>;
