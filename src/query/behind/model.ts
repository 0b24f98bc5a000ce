import { type Static, Type } from '@sinclair/typebox';
import { Nullable } from '../../shared/schema.ts';
import { RetentionQuestion } from '../retention/model.ts';
import { SeriesQuestion } from '../series/model.ts';

const Page = Type.Object({
  /** The last person of the previous page. */
  after: Nullable(Type.String()),
  limit: Type.Integer({ minimum: 1, maximum: 1_000 }),
});

/** Who is counted in a bucket of a series with at most one name. */
export const SeriesPeopleQuestion = Type.Composite([
  Type.Omit(SeriesQuestion, ['breakdown', 'valuesFrom', 'ranges']),
  Page,
  Type.Object({ bucket: Type.Integer({ minimum: 0 }) }),
]);
export type SeriesPeopleQuestion = Static<typeof SeriesPeopleQuestion>;

/** Who is counted in a cell of retention; period 0 is the cohort itself. */
export const RetentionPeopleQuestion = Type.Composite([
  Type.Omit(RetentionQuestion, ['periods']),
  Page,
  Type.Object({
    cohortIndex: Type.Integer({ minimum: 0 }),
    period: Type.Integer({ minimum: 0 }),
  }),
]);
export type RetentionPeopleQuestion = Static<typeof RetentionPeopleQuestion>;

export const PeopleAnswer = Type.Object({
  dataThroughMs: Type.Number(),
  /** Distinct people of the whole report, for the verdict. */
  total: Type.Integer({ minimum: 0 }),
  /** By id. */
  people: Type.Array(Type.String()),
  hasMore: Type.Boolean(),
});
export type PeopleAnswer = Static<typeof PeopleAnswer>;
