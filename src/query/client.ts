import { AppError, type ErrorCode } from '../shared/errors.ts';
import { SECOND_MS } from '../shared/time.ts';
import { type QueryFailureKind, toQueryFailure } from './failure/failure.ts';
import { type AnswerOf, QUESTIONS, type QueryKind, type QuestionOf } from './kinds.ts';
import { ProcessCalls } from './process-calls.ts';
import { lakePath, queryReply, querySocket } from './protocol.ts';
import type { QueryForm } from './reading/run.ts';
import { type Asking, Overrun, QueueFull, type Schedule, type Turn } from './schedule/schedule.ts';
import { createSchedules, type Schedules } from './schedule/schedules.ts';
import type { Asker } from './schedule/slots.ts';
import type { AppSelection } from './selection/selection.ts';
import type { CountedFrom } from './selection/provenance.ts';
import { CallerLeft, SharedAnswers, type SharedWork } from './shared-answers.ts';

export type QueryClientOptions = {
  runDir: string;
  processes: number;
  timeoutSeconds: number;
  startWaitMs?: number;
  onDone?: OnDone;
  onFault?: (fault: QueryFailureKind | 'queue_full') => void;
  lakeMinEvents?: number | undefined;
  onLakeDone?: OnDone;
  eventsToRead?: (selection: AppSelection) => Promise<number>;
  onForm?: (kind: QueryKind, form: QueryForm) => void;
  schedules?: Schedules;
  asker?: Asker;
};

type OnDone = (kind: QueryKind, outcome: QueryOutcome, durationMs: number) => void;

export type QueryOutcome = 'answered' | 'left' | ErrorCode;

export type AskOptions = {
  signal?: AbortSignal | undefined;
  startWaitMs?: number;
};

type Found = CountedFrom & { answer: unknown };

type Sent = Asking & {
  kind: QueryKind;
  path: string;
  body: string;
  startWaitMs: number | undefined;
};

const RETRY_AFTER_SECONDS = 5;

const SENTENCES: Readonly<Record<Exclude<QueryFailureKind, 'failed'>, [string, string]>> = {
  timeout: ['The query took too long.', 'Use fewer days or no breakdown.'],
  memory: ['The query exceeds its memory limit.', 'Use fewer days.'],
  stopped: ['The query was stopped before it finished.', 'Try again.'],
  fetching: ['The event files of this query are being fetched.', 'Try again in a few seconds.'],
  incomplete: ['The figure was not counted from all events.', 'Try again.'],
  damaged: [
    'An event file of this query is damaged, and nothing is answered from it.',
    'It is repaired from a copy; the status and the log say when there is none.',
  ],
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
  if (thrown instanceof Overrun) throw thrown;
  const fault = toQueryFailure(thrown);
  if (fault.kind === 'failed') throw thrown;
  throw unavailable(fault.kind, fault);
}

export class Queries {
  readonly #options: QueryClientOptions;
  readonly #calls: ProcessCalls;
  readonly #schedules: Schedules;
  readonly #shared = new SharedAnswers<Found>();
  #asked = 0;

  constructor(options: QueryClientOptions) {
    this.#options = options;
    const { runDir, processes, timeoutSeconds, startWaitMs, asker, onFault } = options;
    this.#schedules = options.schedules ?? createSchedules(options);
    this.#calls = new ProcessCalls({
      ...{ processes, startWaitMs, asker, limitMs: timeoutSeconds * SECOND_MS },
      socket: (index) => querySocket(runDir, index),
      onLost: (fault) => onFault?.(fault),
    });
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
      const { orgId, appId } = question;
      const found = await this.#shared.ask(asked, signal, async (work) => {
        const { lake, selection } = QUESTIONS[kind];
        const events = await this.#eventsToRead(selection(question));
        const likeness = `${kind} ${appId}`;
        const sent = { kind, path: kind, orgId, likeness, events, body, startWaitMs };
        const { lakeMinEvents = Number.POSITIVE_INFINITY } = this.#options;
        const isForLake = typeof lake !== 'string' && (events ?? 0) >= lakeMinEvents;
        const there = isForLake ? await this.#askLake(sent, work) : null;
        return there ?? this.#askInTurn(this.#schedules.reports, sent, work);
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

  /** Without the catalogue, questions cost what the last one did. */
  async #eventsToRead(selection: AppSelection): Promise<number | undefined> {
    return this.#options.eventsToRead?.(selection).catch(() => undefined);
  }

  /** Null where the lake has no exact answer. */
  async #askLake(sent: Sent, work: SharedWork): Promise<Found | null> {
    const startedAt = performance.now();
    const done = (outcome: QueryOutcome) =>
      this.#options.onLakeDone?.(sent.kind, outcome, performance.now() - startedAt);
    try {
      const there = { ...sent, path: lakePath(sent.kind) };
      const found = await this.#askInTurn(this.#schedules.lake, there, work);
      done(found.answer === null ? 'not_available' : 'answered');
      return found.answer === null ? null : found;
    } catch (thrown) {
      if (work.signal.aborted) done('left');
      else done(thrown instanceof AppError ? thrown.code : 'internal');
      throw thrown;
    }
  }

  async #askInTurn(schedule: Schedule, sent: Sent, { signal, begins }: SharedWork): Promise<Found> {
    const begin = (turn: Turn) => {
      begins();
      return this.#send(sent, turn);
    };
    try {
      return await schedule.run(sent, begin, signal);
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
  async #send(sent: Sent, turn: Turn, isAgain = false): Promise<Found> {
    const reply = queryReply.parse(await this.#calls.ask(sent, turn).catch(failedThere));
    if ('answer' in reply) {
      const { form = 'other', ...found } = reply;
      if (found.answer !== null) this.#options.onForm?.(sent.kind, form);
      return found;
    }
    this.#options.onFault?.(reply.fault);
    if (reply.fault === 'incomplete' && !isAgain) {
      return this.#send(sent, { ...turn, process: turn.process + 1 }, true);
    }
    if (reply.fault !== 'failed') throw unavailable(reply.fault, new Error(reply.message));
    throw new Error(`A query failed: ${reply.message}`);
  }
}

export type AskQueries = Pick<Queries, 'ask'>;
