import { type Static, Type } from '@sinclair/typebox';
import { Named, Nullable } from '../../shared/schema.ts';
import { Mark } from '../marks/index.ts';

export const DigestMark = Type.Omit(Mark, ['author']);
export type DigestMark = Static<typeof DigestMark>;

const SalesOfDay = Type.Object({
  day: Type.String(),
  downloads: Type.Number(),
  proceedsMinor: Type.Integer(),
  currency: Type.String(),
  unconverted: Type.Optional(
    Type.Array(Type.Object({ currency: Type.String(), proceedsMinor: Type.Integer() })),
  ),
});
export type SalesOfDay = Static<typeof SalesOfDay>;

export const Digest = Named('Digest', {
  day: Type.String(),
  sales: Nullable(SalesOfDay),
  googlePlaySales: Type.Optional(SalesOfDay),
  alerts: Type.Optional(Type.Array(Type.String())),
  apps: Type.Array(
    Type.Object({
      appId: Type.String(),
      name: Type.String(),
      people: Type.Integer(),
      events: Type.Integer(),
      alerts: Type.Array(Type.String()),
      news: Type.Optional(Type.Array(Type.String())),
      marks: Type.Optional(Type.Array(DigestMark)),
    }),
  ),
});
export type Digest = Static<typeof Digest>;
