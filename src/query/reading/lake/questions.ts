import type { Deps } from '../../../context.ts';
import { DEFAULT_SCOPE } from '../../../shared/environment.ts';
import type { Parser } from '../../../shared/schema.ts';
import { SECOND_MS } from '../../../shared/time.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { QueryFailure } from '../../failure/failure.ts';
import { isUnbounded, listTraits } from '../../selection/dimension.ts';
import type { AppSelection } from '../../selection/selection.ts';
import { selectEvents } from '../source/events.ts';
import type { Lake } from '../source/lake.ts';
import type { SqlRun } from '../source/sql-rows.ts';
import type { LakeEngine } from './engine.ts';
import { NotExpressible } from '../../failure/not-expressible.ts';
import { openLakeEngine } from './open.ts';
import { latestSnapshot } from './queries.ts';

export type LakeQuestionsOptions = { sql: Sql; engine: LakeEngine; timeoutMs: number };

export type LakeForm<Q, A> = (run: SqlRun, question: Q) => Promise<A>;

export type LakeKind<Q, A> = {
  /** In the form that is counted quickest. */
  plan?: (question: Q) => Q;
  selection: (question: Q) => AppSelection;
  /** In the words of the lake's engine, or why DuckDB alone counts it. */
  lake: (() => Promise<LakeForm<Q, A>>) | string;
};

function parseAnswer<A>(answer: Parser<A>, found: A): A {
  try {
    return answer.parse(found);
  } catch (thrown) {
    throw new QueryFailure('away', 'The engine answered other columns.', thrown);
  }
}

/** Trino's `query.max-length`, which it has unless told otherwise. */
const MAX_STATEMENT_CHARACTERS = 1_000_000;

export async function countInLake<Q extends object, A>(
  lake: Lake,
  { lake: load, plan, selection }: LakeKind<Q, A>,
  asked: Q,
): Promise<A> {
  if (typeof load === 'string') throw new NotExpressible(load);
  if (listTraits(asked).length > 0) throw new NotExpressible('Traits of people DuckDB finds.');
  if (isUnbounded(asked)) throw new NotExpressible('Bounds are chosen by DuckDB.');
  const question = plan?.(asked) ?? asked;
  const events = selection(question);
  const { orgId, appId, environment = DEFAULT_SCOPE } = events;
  const source = {
    ...{ orgId, appId, environment, lake, dataThroughMs: lake.snapshot.dataThroughMs },
    ...{ files: [], hotRows: [], lateAliases: [], erased: [], sharesIds: false },
  };
  return (await load())(selectEvents(source, events), question);
}

/** Null where the engine could only approximate. */
export class LakeQuestions {
  readonly #options: LakeQuestionsOptions;

  constructor(options: LakeQuestionsOptions) {
    this.#options = options;
  }

  async answer<Q extends object, A>(
    kind: LakeKind<Q, A> & { answer: Parser<A> },
    question: Q,
    left: AbortSignal,
  ): Promise<A | null> {
    const { sql, engine, timeoutMs } = this.#options;
    const snapshot = await latestSnapshot(sql);
    if (!snapshot) return null;
    const late = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([late, left]);
    const rows = (statement: string) => {
      if (statement.length > MAX_STATEMENT_CHARACTERS) {
        throw new NotExpressible('The statement is longer than the engine takes.');
      }
      return engine.run(statement, signal);
    };
    try {
      return parseAnswer(kind.answer, await countInLake({ snapshot, rows }, kind, question));
    } catch (thrown) {
      if (thrown instanceof NotExpressible) return null;
      if (late.aborted && !left.aborted) {
        throw new QueryFailure('timeout', 'The timeout has passed.', thrown);
      }
      throw thrown;
    }
  }
}

export function openLakeQuestions({
  config,
  sql,
}: Pick<Deps, 'config' | 'sql'>): LakeQuestions | null {
  const engine = openLakeEngine(config);
  const timeoutMs = config.query.timeoutSeconds * SECOND_MS;
  return engine && new LakeQuestions({ sql, engine, timeoutMs });
}
