import { AppError, type ErrorCode } from '../shared/errors.ts';
import { SECOND_MS, sleep } from '../shared/time.ts';
import { FairQueue, QueueFull } from './fair-queue.ts';
import type { QueryFaultKind } from './fault.ts';
import {
  type AnswerOf,
  QUESTIONS,
  type QueryKind,
  type QuestionOf,
  queryReply,
  querySocket,
} from './protocol.ts';

export type QueryClientOptions = {
  runDir: string;
  processes: number;
  timeoutSeconds: number;
  /** How long to wait for a process to listen. */
  startWaitMs?: number;
  /** Called with outcome and duration of each question, its wait in the queue included. */
  onDone?: (kind: QueryKind, outcome: 'answered' | ErrorCode, durationMs: number) => void;
};

const QUERIES_PER_PROCESS = 2;
const WAITING_PER_ORGANIZATION = 20;
const RETRY_AFTER_SECONDS = 5;
/** The supervisor restarts a process within 5 s; what was not sent yet waits for it. */
const START_WAIT_MS = 8 * SECOND_MS;
const START_POLL_MS = 100;
/** Beyond the query's own limit: for its queue in the process and the way back. */
const REPLY_GRACE_MS = 15 * SECOND_MS;

const SENTENCES: Readonly<Record<Exclude<QueryFaultKind, 'failed'>, [string, string]>> = {
  timeout: ['The query took too long.', 'Use fewer days or no breakdown.'],
  memory: ['The query exceeds its memory limit.', 'Use fewer days.'],
  stopped: ['The query was stopped before it finished.', 'Try again.'],
  fetching: ['The event files of this query are being fetched.', 'Try again in a few seconds.'],
  disk: ['The disk has no room for the event files of this query.', 'Use fewer days.'],
  away: ['Queries are unavailable right now.', 'Try again in a few seconds.'],
};

function unavailable(kind: Exclude<QueryFaultKind, 'failed'>, cause?: unknown): AppError {
  const [message, hint] = SENTENCES[kind];
  return new AppError('unavailable', message, {
    hint,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';

/** No process listens there, so nothing was sent. */
function isNotListening(thrown: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED', 'ConnectionRefused', 'FailedToOpenSocket'].includes(
    codeOf(thrown),
  );
}

/** Asks the query processes about the events of one app. */
export class Queries {
  readonly #options: QueryClientOptions;
  readonly #queue: FairQueue;
  #next = 0;

  constructor(options: QueryClientOptions) {
    this.#options = options;
    const places = options.processes * QUERIES_PER_PROCESS;
    this.#queue = new FairQueue({
      places,
      // One place is always left for other organizations.
      placesPerKey: places - 1,
      waitingPerKey: WAITING_PER_ORGANIZATION,
      waitMs: options.timeoutSeconds * SECOND_MS,
    });
  }

  /** `startWaitMs` is how long to wait for a process to listen, if not that of the options. */
  async ask<K extends QueryKind>(
    kind: K,
    question: QuestionOf<K>,
    { startWaitMs }: { startWaitMs?: number } = {},
  ): Promise<AnswerOf<K>> {
    const startedAt = performance.now();
    const done = (outcome: 'answered' | ErrorCode) =>
      this.#options.onDone?.(kind, outcome, performance.now() - startedAt);
    try {
      const answer = QUESTIONS[kind].answer.parse(
        await this.#askInTurn(kind, question, startWaitMs),
      );
      done('answered');
      return answer;
    } catch (thrown) {
      done(thrown instanceof AppError ? thrown.code : 'internal');
      throw thrown;
    }
  }

  async #askInTurn(
    kind: QueryKind,
    question: { orgId: string },
    startWaitMs?: number,
  ): Promise<unknown> {
    try {
      return await this.#queue.run(question.orgId, () => this.#send(kind, question, startWaitMs));
    } catch (thrown) {
      if (!(thrown instanceof QueueFull)) throw thrown;
      throw new AppError('unavailable', 'Too many queries of this organization are waiting.', {
        hint: 'Try again when earlier queries have finished.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
  }

  async #send(kind: QueryKind, question: unknown, startWaitMs?: number): Promise<unknown> {
    const response = await this.#post(kind, JSON.stringify(question), startWaitMs);
    const reply = queryReply.parse(await response.json().catch((cause) => this.#lost(cause)));
    if ('answer' in reply) return reply.answer;
    if (reply.fault !== 'failed') throw unavailable(reply.fault, new Error(reply.message));
    throw new Error(`A query failed: ${reply.message}`);
  }

  /** Uses the processes round robin; while none listens, waits for one to start. */
  async #post(
    kind: QueryKind,
    body: string,
    startWaitMs = this.#options.startWaitMs ?? START_WAIT_MS,
  ): Promise<Response> {
    const { runDir, processes, timeoutSeconds } = this.#options;
    const startBy = performance.now() + startWaitMs;
    for (let attempt = 1; ; attempt += 1) {
      const unix = querySocket(runDir, this.#next++ % processes);
      const signal = AbortSignal.timeout(timeoutSeconds * SECOND_MS + REPLY_GRACE_MS);
      try {
        // No keep-alive: a connection to a killed process would fail the next query.
        const options = { method: 'POST', body, unix, signal, keepalive: false };
        return await fetch(`http://query/${kind}`, options);
      } catch (thrown) {
        if (!isNotListening(thrown)) return this.#lost(thrown);
        if (performance.now() > startBy) throw unavailable('away', thrown);
        if (attempt % processes === 0) await sleep(START_POLL_MS);
      }
    }
  }

  #lost(thrown: unknown): never {
    const isLate = thrown instanceof Error && thrown.name === 'TimeoutError';
    throw unavailable(isLate ? 'timeout' : 'stopped', thrown);
  }
}

/** Resolves when the first query process of this host answers anything at all. */
export async function pingQueries(runDir: string): Promise<void> {
  await fetch('http://query/ping', { unix: querySocket(runDir, 0), keepalive: false });
}

declare module '../context.ts' {
  interface Deps {
    queries: Queries;
  }
}
