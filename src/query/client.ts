import { AppError, type ErrorCode } from '../shared/errors.ts';
import { SECOND_MS, sleep } from '../shared/time.ts';
import { type QueryFailureKind, toQueryFailure } from './failure.ts';
import { FairQueue, QueueFull } from './fair-queue.ts';
import { type AnswerOf, QUESTIONS, type QueryKind, type QuestionOf } from './kinds.ts';
import { queryReply, querySocket } from './protocol.ts';
import type { LakeQuestions } from './reading/lake/questions.ts';
import type { CountedFrom } from './selection/provenance.ts';
import { CallerLeft, SharedAnswers, type SharedWork } from './shared-answers.ts';

export type QueryClientOptions = {
  runDir: string;
  processes: number;
  timeoutSeconds: number;
  startWaitMs?: number;
  onDone?: OnDone;
  onFault?: (fault: QueryFailureKind | 'queue_full') => void;
  lake?: Pick<LakeQuestions, 'choose'> | undefined;
  onLakeDone?: OnDone;
};

type OnDone = (kind: QueryKind, outcome: QueryOutcome, durationMs: number) => void;

export type QueryOutcome = 'answered' | 'left' | ErrorCode;

export type AskOptions = {
  signal?: AbortSignal | undefined;
  startWaitMs?: number;
};

type Found = CountedFrom & { answer: unknown };

type AskLake = (signal: AbortSignal) => Promise<unknown>;

type Sent = { kind: QueryKind; orgId: string; body: string; startWaitMs: number | undefined };

const QUERIES_PER_PROCESS = 2;
/** Questions to the lake's engine at a time; it queues more by itself. */
const LAKE_PLACES = 4;
const WAITING_PER_ORGANIZATION = 20;
const RETRY_AFTER_SECONDS = 5;
/** The supervisor restarts a process within 5 s; unsent questions wait for it. */
const START_WAIT_MS = 8 * SECOND_MS;
const START_POLL_MS = 100;
/** Beyond the query's own limit: for its queue in the process and the way back. */
const REPLY_GRACE_MS = 15 * SECOND_MS;

const SENTENCES: Readonly<Record<Exclude<QueryFailureKind, 'failed'>, [string, string]>> = {
  timeout: ['The query took too long.', 'Use fewer days or no breakdown.'],
  memory: ['The query exceeds its memory limit.', 'Use fewer days.'],
  stopped: ['The query was stopped before it finished.', 'Try again.'],
  fetching: ['The event files of this query are being fetched.', 'Try again in a few seconds.'],
  incomplete: ['The figure was not counted from all events.', 'Try again.'],
  disk: ['The disk has no room for the event files of this query.', 'Use fewer days.'],
  away: ['Queries are unavailable right now.', 'Try again in a few seconds.'],
};

function unavailable(kind: Exclude<QueryFailureKind, 'failed'>, cause?: unknown): AppError {
  const [message, hint] = SENTENCES[kind];
  return new AppError('unavailable', message, {
    hint,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

function failedThere(thrown: unknown): never {
  const fault = toQueryFailure(thrown);
  if (fault.kind === 'failed') throw thrown;
  throw unavailable(fault.kind, fault);
}

const errorCode = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';

function isNotListening(thrown: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED', 'ConnectionRefused', 'FailedToOpenSocket'].includes(
    errorCode(thrown),
  );
}

export class Queries {
  readonly #options: QueryClientOptions;
  readonly #queue: FairQueue;
  readonly #lakeQueue: FairQueue;
  readonly #shared = new SharedAnswers<Found>();
  #next = 0;
  #asked = 0;

  constructor(options: QueryClientOptions) {
    this.#options = options;
    const queueOf = (places: number) =>
      new FairQueue({
        places,
        // One place is always left for other organizations.
        placesPerKey: places - 1,
        waitingPerKey: WAITING_PER_ORGANIZATION,
        waitMs: options.timeoutSeconds * SECOND_MS,
      });
    this.#queue = queueOf(options.processes * QUERIES_PER_PROCESS);
    this.#lakeQueue = queueOf(LAKE_PLACES);
  }

  /** Work ends when the last of those who ask the same aborts. */
  async ask<K extends QueryKind>(
    kind: K,
    question: QuestionOf<K>,
    { signal, startWaitMs }: AskOptions = {},
  ): Promise<AnswerOf<K>> {
    const startedAt = performance.now();
    const done = (outcome: QueryOutcome) =>
      this.#options.onDone?.(kind, outcome, performance.now() - startedAt);
    try {
      const { isShared, answer: parser } = QUESTIONS[kind];
      const body = JSON.stringify(question);
      this.#asked += 1;
      const asked = isShared ? `${kind} ${startWaitMs} ${body}` : `${kind} ${this.#asked}`;
      const sent = { kind, orgId: question.orgId, body, startWaitMs };
      const found = await this.#shared.ask(asked, signal, async (work) => {
        const lake = await this.#chosen(kind, question);
        const there = lake ? await this.#askLake(sent, lake, work) : null;
        return there === null ? this.#askInTurn(sent, work) : { answer: there };
      });
      const { answer, ...counted } = found;
      const parsed = parser.parse(answer);
      done('answered');
      return { ...parsed, ...counted };
    } catch (thrown) {
      if (thrown instanceof CallerLeft) {
        done('left');
        throw unavailable('stopped', thrown);
      }
      done(thrown instanceof AppError ? thrown.code : 'internal');
      throw thrown;
    }
  }

  get waiting(): number {
    return this.#queue.waiting + this.#lakeQueue.waiting;
  }

  async #chosen<K extends QueryKind>(kind: K, question: QuestionOf<K>): Promise<AskLake | null> {
    const { lake } = this.#options;
    return lake ? lake.choose(QUESTIONS[kind], question).catch(failedThere) : null;
  }

  /** Null where the lake has no exact answer. */
  async #askLake({ kind, orgId }: Sent, lake: AskLake, work: SharedWork): Promise<unknown> {
    const startedAt = performance.now();
    const done = (outcome: QueryOutcome) =>
      this.#options.onLakeDone?.(kind, outcome, performance.now() - startedAt);
    try {
      const answer = await this.#inTurn(this.#lakeQueue, orgId, work, () =>
        lake(work.signal).catch(failedThere),
      );
      done(answer === null ? 'not_available' : 'answered');
      return answer;
    } catch (thrown) {
      if (work.signal.aborted) done('left');
      else done(thrown instanceof AppError ? thrown.code : 'internal');
      throw thrown;
    }
  }

  #askInTurn(sent: Sent, work: SharedWork): Promise<Found> {
    return this.#inTurn(this.#queue, sent.orgId, work, () => this.#send(sent, work.signal));
  }

  async #inTurn<T>(
    queue: FairQueue,
    orgId: string,
    { signal, begins }: SharedWork,
    send: () => Promise<T>,
  ): Promise<T> {
    const begin = () => {
      begins();
      return send();
    };
    try {
      return await queue.run(orgId, begin, signal);
    } catch (thrown) {
      if (!(thrown instanceof QueueFull)) throw thrown;
      this.#options.onFault?.('queue_full');
      throw new AppError('unavailable', 'Too many queries of this organization are waiting.', {
        hint: 'Try again when earlier queries have finished.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
  }

  /** Asks once more for an incomplete answer. */
  async #send(sent: Sent, left: AbortSignal, isAgain = false): Promise<Found> {
    const response = await this.#post(sent, left);
    const reply = queryReply.parse(await response.json().catch((cause) => this.#lost(cause)));
    if ('answer' in reply) return reply;
    this.#options.onFault?.(reply.fault);
    if (reply.fault === 'incomplete' && !isAgain) return this.#send(sent, left, true);
    if (reply.fault !== 'failed') throw unavailable(reply.fault, new Error(reply.message));
    throw new Error(`A query failed: ${reply.message}`);
  }

  async #post({ kind, body, startWaitMs }: Sent, left: AbortSignal): Promise<Response> {
    const { runDir, processes, timeoutSeconds } = this.#options;
    const waitMs = startWaitMs ?? this.#options.startWaitMs ?? START_WAIT_MS;
    const startBy = performance.now() + waitMs;
    for (let attempt = 1; ; attempt += 1) {
      const unix = querySocket(runDir, this.#next++ % processes);
      const late = AbortSignal.timeout(timeoutSeconds * SECOND_MS + REPLY_GRACE_MS);
      const signal = AbortSignal.any([late, left]);
      try {
        // No keep-alive: a connection to a killed process would fail the next query.
        const options = { method: 'POST', body, unix, signal, keepalive: false };
        return await fetch(`http://query/${kind}`, options);
      } catch (thrown) {
        if (!isNotListening(thrown)) return this.#lost(thrown);
        if (performance.now() > startBy) throw unavailable('away', thrown);
        if (attempt % processes === 0) await sleep(START_POLL_MS, left);
        left.throwIfAborted();
      }
    }
  }

  #lost(thrown: unknown): never {
    const isLate = thrown instanceof Error && thrown.name === 'TimeoutError';
    const fault = isLate ? 'timeout' : 'stopped';
    this.#options.onFault?.(fault);
    throw unavailable(fault, thrown);
  }
}

export type AskQueries = Pick<Queries, 'ask'>;

declare module '../context.ts' {
  interface Deps {
    queries: AskQueries;
  }
}
