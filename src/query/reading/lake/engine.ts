import type { AppSelection } from '../../selection/selection.ts';
import type { LakeSnapshot } from './queries.ts';

export type LakeEngine = {
  run: (statement: string, signal: AbortSignal) => Promise<unknown[][]>;
  ping: (signal: AbortSignal) => Promise<void>;
};

export type RunStatement = (statement: string) => Promise<unknown[][]>;

export type LakeForm<Q, A> = (run: RunStatement, snapshot: LakeSnapshot, question: Q) => Promise<A>;

export type LakeKind<Q, A> = {
  selection: (question: Q) => AppSelection;
  lake?: () => Promise<LakeForm<Q, A>>;
};
