import { type Static, Type } from '@sinclair/typebox';
import { FunnelQuestionAnswer } from './funnel/answer.model.ts';
import { LifecycleQuestionAnswer } from './lifecycle/answer.model.ts';
import { MeasuresQuestionAnswer } from './measures/answer.model.ts';
import { PathsQuestionAnswer } from './paths/answer.model.ts';
import { RetentionQuestionAnswer } from './retention/answer.model.ts';
import { SeriesQuestionAnswer } from './series/answer.model.ts';

export const Answer = Type.Union(
  [
    SeriesQuestionAnswer,
    FunnelQuestionAnswer,
    RetentionQuestionAnswer,
    MeasuresQuestionAnswer,
    LifecycleQuestionAnswer,
    PathsQuestionAnswer,
  ],
  { title: 'Answer' },
);
export type Answer = Static<typeof Answer>;
