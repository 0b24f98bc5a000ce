import { type Static, Type } from '@sinclair/typebox';
import { FunnelQuestion } from './funnel/question.ts';
import { LifecycleQuestion } from './lifecycle/question.ts';
import { MeasuresQuestion } from './measures/question.ts';
import { PathsQuestion } from './paths/question.ts';
import { RetentionQuestion } from './retention/question.ts';
import { SeriesQuestion } from './series/question.ts';

const KINDS = [
  SeriesQuestion,
  FunnelQuestion,
  RetentionQuestion,
  MeasuresQuestion,
  LifecycleQuestion,
  PathsQuestion,
] as const;

/** By `kind`; a further kind is a further member, with its answer in `answer.model.ts`. */
export const Question = Type.Union([...KINDS], {
  title: 'Question',
  examples: KINDS.flatMap(({ examples }) => examples),
  rule: 'must be a question of the kind series, funnel, retention, measures, lifecycle or paths',
});
export type Question = Static<typeof Question>;
