import type { AppSelection } from '../../selection/selection.ts';
import type { LakeSnapshot } from './queries.ts';

/** Runs one statement on an engine that reads the lake, within its limits, until `signal`. */
export type LakeEngine = {
  run: (statement: string, signal: AbortSignal) => Promise<unknown[][]>;
  /** Resolves when it answers at all. */
  ping: (signal: AbortSignal) => Promise<void>;
};

/** One question's use of the engine. */
export type RunStatement = (statement: string) => Promise<unknown[][]>;

/** Answers a question by statements over one snapshot. */
export type LakeForm<Q, A> = (run: RunStatement, snapshot: LakeSnapshot, question: Q) => Promise<A>;

/** A kind of question as the lake is asked it; without a form DuckDB answers. */
export type LakeKind<Q, A> = {
  selection: (question: Q) => AppSelection;
  lake?: () => Promise<LakeForm<Q, A>>;
};
