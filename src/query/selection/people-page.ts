import { type Static, Type } from '@sinclair/typebox';
import { Nullable } from '../../shared/schema.ts';

export const PageOfPeople = Type.Object({
  after: Nullable(Type.String()),
  limit: Type.Integer({ minimum: 1, maximum: 1_000 }),
});
export type PageOfPeople = Static<typeof PageOfPeople>;

export const PeopleAnswer = Type.Object({
  dataThroughMs: Type.Number(),
  total: Type.Integer({ minimum: 0 }),
  people: Type.Array(Type.String()),
  hasMore: Type.Boolean(),
});
export type PeopleAnswer = Static<typeof PeopleAnswer>;
