import { limitConcurrency } from '../shared/concurrency.ts';
import { SECOND_MS, sleep } from '../shared/time.ts';
import { QueryFailure } from './failure/failure.ts';
import { OVERRUN_STATUS, USED_HEADER } from './schedule/places.ts';
import { Overrun, type Turn } from './schedule/schedule.ts';
import type { Asker } from './schedule/slots.ts';

/** The supervisor restarts a process within 5 s; unsent questions wait for it. */
const START_WAIT_MS = 8 * SECOND_MS;
const START_POLL_MS = 100;
const REPLY_GRACE_MS = 15 * SECOND_MS;

export type ProcessCallsOptions = {
  socket: (index: number) => string;
  processes: number;
  limitMs: number;
  startWaitMs?: number | undefined;
  asker?: Asker | undefined;
  onLost?: (fault: 'stopped' | 'timeout') => void;
};

export type ProcessCall = {
  path: string;
  body: string;
  startWaitMs?: number | undefined;
};

/** The background may wait for its turn in the process. */
const PATIENCE: Readonly<Record<Asker, number>> = { people: 1, background: 3 };
const NOT_LISTENING = ['ENOENT', 'ECONNREFUSED', 'ConnectionRefused', 'FailedToOpenSocket'];

const errorCode = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';

async function read(response: Response, { onUsed }: Turn): Promise<unknown> {
  if (response.status === OVERRUN_STATUS) throw new Overrun();
  const used = response.headers.get(USED_HEADER);
  if (used !== null) onUsed?.(Number(used));
  return await response.json();
}

/** Questions of an ending process are sent again once. */
export class ProcessCalls {
  readonly #options: ProcessCallsOptions;
  /** One of them may be why it ended. */
  readonly #again = limitConcurrency(1);

  constructor(options: ProcessCallsOptions) {
    this.#options = options;
  }

  async ask(call: ProcessCall, turn: Turn): Promise<unknown> {
    const { limitMs } = this.#options;
    const startedAt = performance.now();
    try {
      return await this.#send(call, turn);
    } catch (thrown) {
      const isLost = thrown instanceof QueryFailure && thrown.kind === 'stopped';
      if (!isLost || performance.now() - startedAt > limitMs) throw thrown;
      const { startWaitMs = this.#options.startWaitMs ?? limitMs } = call;
      return await this.#again(() => this.#send({ ...call, startWaitMs }, turn));
    }
  }

  async #send({ path, body, startWaitMs }: ProcessCall, turn: Turn): Promise<unknown> {
    const { socket, processes, limitMs, asker } = this.#options;
    const startBy = performance.now() + (startWaitMs ?? this.#options.startWaitMs ?? START_WAIT_MS);
    for (let attempt = 1; ; attempt += 1) {
      turn.signal.throwIfAborted();
      const unix = socket((turn.process + attempt - 1) % processes);
      const late = AbortSignal.timeout(PATIENCE[asker ?? 'people'] * limitMs + REPLY_GRACE_MS);
      const signal = AbortSignal.any([late, turn.signal]);
      try {
        // No keep-alive: a connection to a killed process would fail the next question.
        const options = { method: 'POST', body, unix, signal, keepalive: false };
        const query = `lane=${turn.lane}${asker === 'background' ? '&background' : ''}`;
        const response = await fetch(`http://process/${path}?${query}`, options);
        return await read(response, turn);
      } catch (thrown) {
        if (turn.signal.aborted || thrown instanceof Overrun) throw thrown;
        if (!NOT_LISTENING.includes(errorCode(thrown))) throw this.#lost(thrown, late);
        if (performance.now() > startBy) {
          throw new QueryFailure('away', 'No process answers.', thrown);
        }
        if (attempt % processes === 0) await sleep(START_POLL_MS, turn.signal);
      }
    }
  }

  #lost(thrown: unknown, late: AbortSignal): QueryFailure {
    const fault = late.aborted ? 'timeout' : 'stopped';
    this.#options.onLost?.(fault);
    return new QueryFailure(fault, 'The process gave no answer.', thrown);
  }
}
