import { type Static, Type } from '@sinclair/typebox';
import { Nullable } from '../../shared/schema.ts';
import { PeopleAnswer } from '../selection/people-page.ts';
import { SegmentRules } from '../selection/segment-rules.ts';
import { OfApp } from '../selection/selection.ts';

export const MAX_PAGE_OF_SEGMENT = 100_000;

export const SegmentQuestion = Type.Object({
  ...OfApp.properties,
  beforeUs: Type.Integer(),
  rules: SegmentRules,
  after: Nullable(Type.String()),
  limit: Type.Integer({ minimum: 0, maximum: MAX_PAGE_OF_SEGMENT }),
});
export type SegmentQuestion = Static<typeof SegmentQuestion>;

export const SegmentAnswer = PeopleAnswer;
