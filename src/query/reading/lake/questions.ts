import type { Sql } from '../../../storage/postgres.ts';
import { QueryFailure } from '../../failure/failure.ts';
import type { LakeEngine, LakeKind, RunStatement } from './engine.ts';
import { NotExpressible } from './not-expressible.ts';
import { eventsToRead, type LakeSnapshot, latestSnapshot } from './queries.ts';

export type LakeQuestionsOptions = {
  sql: Sql;
  engine: LakeEngine;
  minEvents: number;
  timeoutMs: number;
};

/** Trino's `query.max-length`, which it has unless told otherwise. */
const MAX_STATEMENT_CHARACTERS = 1_000_000;

type Answer<A> = (run: RunStatement, snapshot: LakeSnapshot) => Promise<A>;

export class LakeQuestions {
  readonly #options: LakeQuestionsOptions;

  constructor(options: LakeQuestionsOptions) {
    this.#options = options;
  }

  /** Null for small questions and kinds without a form. */
  async choose<Q, A>(
    { selection, lake }: LakeKind<Q, A>,
    question: Q,
  ): Promise<((signal: AbortSignal) => Promise<unknown>) | null> {
    if (!lake) return null;
    const { sql, minEvents } = this.#options;
    if ((await eventsToRead(sql, selection(question))) < minEvents) return null;
    const form = await lake();
    return (signal) => this.#answer((run, snapshot) => form(run, snapshot, question), signal);
  }

  /** Null where the engine could only approximate. */
  async #answer<A>(answer: Answer<A>, left: AbortSignal): Promise<A | null> {
    const { sql, engine, timeoutMs } = this.#options;
    const snapshot = await latestSnapshot(sql);
    if (!snapshot) return null;
    const late = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([late, left]);
    try {
      return await answer((statement) => {
        if (statement.length > MAX_STATEMENT_CHARACTERS) {
          throw new NotExpressible('The statement is longer than the engine takes.');
        }
        return engine.run(statement, signal);
      }, snapshot);
    } catch (thrown) {
      if (thrown instanceof NotExpressible) return null;
      if (late.aborted && !left.aborted) {
        throw new QueryFailure('timeout', 'The timeout has passed.', thrown);
      }
      throw thrown;
    }
  }
}
