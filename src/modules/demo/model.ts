import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';

export const Demo = Named('Demo', {
  madeAt: Nullable(
    Type.Unsafe<string>({
      ...DateTime,
      description: 'When `bun run demo` made the organization; null for every other one.',
    }),
  ),
});
export type Demo = Static<typeof Demo>;

export const DeleteDemoQuery = Type.Object({
  confirm: Text(1, 200, { description: "The organization's slug, typed to confirm" }),
});

export const DeletedDemo = Named('DeletedDemo', {
  deleted: Type.Literal(true),
  id: Type.String(),
  name: Type.String(),
});
export type DeletedDemo = Static<typeof DeletedDemo>;
