import type { Static, TSchema } from '@sinclair/typebox';
import { type Parser, parser } from '../../shared/schema.ts';
import type { LakeKind } from '../reading/lake/questions.ts';
import type { CounterOf } from '../reading/projection/share.ts';
import type { Needs, QueryRun } from '../reading/run.ts';

/** Each process imports what it calls: the API loads no DuckDB. */
export type Answering<Q, A, T = never> = LakeKind<Q, A> & {
  isShared: boolean;
  needs: (question: Q) => Needs;
  newest?: {
    counts: (question: Q) => readonly number[];
    isEnough: (answer: A, question: Q) => boolean;
  };
  count: () => Promise<(run: QueryRun, question: Q) => Promise<A>>;
  /** By a thread that helps counting; its task is named in `CountingTasks`. */
  counter?: () => Promise<CounterOf<T>>;
};

export type QuestionKind<Q, A> = Answering<Q, A> & { question: Parser<Q>; answer: Parser<A> };

export const questionKind = <
  Q extends TSchema,
  A extends TSchema,
  H extends Answering<Static<Q>, Static<A>>,
>(
  question: Q,
  answer: A,
  answering: H,
) => ({
  ...answering,
  question: parser(question, 'question to a query process'),
  answer: parser(answer, 'answer of a query process'),
});
