import type { Sql } from '../../storage/postgres.ts';
import { QueryFailure } from '../failure.ts';
import { readFromUs, stepsBeforeUs } from '../funnel/model.ts';
import type { QueryKind, QuestionOf } from '../protocol.ts';
import type { LakeEngine, RunStatement } from './engine.ts';
import { lakeFunnel, lakeFunnelPeople } from './funnel.ts';
import { NotExpressible } from './not-expressible.ts';
import { type EventWindow, eventsToRead, type LakeSnapshot, latestSnapshot } from './queries.ts';
import { lakeSummary } from './summary.ts';

export type LakeQuestionsOptions = {
  sql: Sql;
  engine: LakeEngine;
  /** A question that reads at least so many events goes to the engine. */
  minEvents: number;
  /** Of a question, however many statements it takes. */
  timeoutMs: number;
};

/** Trino's `query.max-length`, which it has unless told otherwise. */
const MAX_STATEMENT_CHARACTERS = 1_000_000;

/** A question that the lake can be asked, with the window of the events that it reads. */
type Asked = {
  window: EventWindow;
  answer: (run: RunStatement, snapshot: LakeSnapshot) => Promise<unknown>;
};

/** The kinds that the lake's engine can answer; what another kind needs is not in its SQL. */
const ASKED: { [K in QueryKind]?: (question: QuestionOf<K>) => Asked } = {
  funnel: (question) => ({
    window: { ...question, fromUs: readFromUs(question), beforeUs: stepsBeforeUs(question) },
    answer: (run, snapshot) => lakeFunnel(run, snapshot, question),
  }),
  'funnel-people': (question) => ({
    window: { ...question, fromUs: readFromUs(question), beforeUs: stepsBeforeUs(question) },
    answer: (run, snapshot) => lakeFunnelPeople(run, snapshot, question),
  }),
  summary: (question) => ({
    window: question,
    answer: (run, snapshot) => lakeSummary(run, snapshot, question),
  }),
};

/** Answers large questions from what is published, by an engine of its own; the others are DuckDB's. */
export class LakeQuestions {
  readonly #options: LakeQuestionsOptions;

  constructor(options: LakeQuestionsOptions) {
    this.#options = options;
  }

  /**
   * How to answer the question from the lake; null where it is small, or of a kind that the lake is
   * not asked. Nothing but the catalogue is read for that.
   */
  async choose<K extends QueryKind>(
    kind: K,
    question: QuestionOf<K>,
  ): Promise<((signal: AbortSignal) => Promise<unknown>) | null> {
    const asked = ASKED[kind]?.(question);
    if (!asked) return null;
    const { sql, minEvents } = this.#options;
    if ((await eventsToRead(sql, asked.window)) < minEvents) return null;
    return (signal) => this.#answer(asked, signal);
  }

  /** Null where there is nothing published, and where the engine could only approximate. */
  async #answer({ answer }: Asked, left: AbortSignal): Promise<unknown> {
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
