import { Worker } from 'node:worker_threads';
import { SECOND_MS } from '../../../shared/time.ts';
import { QueryFailure } from '../../failure/failure.ts';
import type { Counted } from '../projection/share.ts';
import type { HelpReply, HelpRequest } from './messages.ts';

/** More threads of one process take memory and gain little. */
const MAX_HELPERS = 7;
const RESTART_MS = SECOND_MS;
const ENTRIES_AT_ONCE = 32_768;
const MIN_RANGES = 8;

export type CountingOptions = {
  threads: number;
  entriesAtOnce?: number;
  minRanges?: number;
  /** The caller counts only after the helpers; for tests. */
  helpersFirst?: boolean;
  entry?: URL;
  restartMs?: number;
};

type Waiting = PromiseWithResolvers<Counted | null>;

class Helper {
  readonly #options: Required<Pick<CountingOptions, 'entry' | 'restartMs'>>;
  #worker: Worker | null = null;
  #waiting: Waiting | null = null;
  #ready = Promise.withResolvers<void>();
  #isReady = false;
  #isStopped = false;
  #restart: Timer | null = null;

  constructor(options: Required<Pick<CountingOptions, 'entry' | 'restartMs'>>) {
    this.#options = options;
    this.#start();
  }

  get isIdle(): boolean {
    return this.#isReady && this.#waiting === null;
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  #start(): void {
    const worker = new Worker(this.#options.entry);
    // It never keeps the process from ending.
    worker.unref();
    worker.on('message', (reply: HelpReply) => this.#take(reply));
    worker.on('error', (error: Error) => this.#end(worker, error));
    worker.on('exit', () => this.#end(worker));
    this.#worker = worker;
  }

  #take(reply: HelpReply): void {
    if (reply === 'ready') {
      this.#isReady = true;
      this.#ready.resolve();
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = null;
    if ('counted' in reply) waiting?.resolve(reply.counted);
    else waiting?.reject(new QueryFailure('failed', reply.failed));
  }

  #end(worker: Worker, cause?: unknown): void {
    if (worker !== this.#worker) return;
    this.#worker = null;
    if (this.#isReady) this.#ready = Promise.withResolvers();
    this.#isReady = false;
    this.#waiting?.reject(new QueryFailure('stopped', 'A counting thread has ended.', cause));
    this.#waiting = null;
    if (this.#isStopped) return;
    this.#restart = setTimeout(() => this.#start(), this.#options.restartMs);
    this.#restart.unref();
  }

  ask(request: HelpRequest): Promise<Counted | null> {
    const waiting = Promise.withResolvers<Counted | null>();
    this.#waiting = waiting;
    this.#worker?.postMessage(request);
    return waiting.promise;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#restart) clearTimeout(this.#restart);
    await this.#worker?.terminate();
  }
}

/** Helpers that are busy or starting are not waited for. */
export class CountingThreads {
  readonly entriesAtOnce: number;
  readonly helpersFirst: boolean;
  readonly #minRanges: number;
  readonly #options: CountingOptions;
  #started: Helper[] | null = null;

  constructor(options: CountingOptions) {
    this.#options = options;
    this.entriesAtOnce = options.entriesAtOnce ?? ENTRIES_AT_ONCE;
    this.helpersFirst = options.helpersFirst ?? false;
    this.#minRanges = options.minRanges ?? MIN_RANGES;
  }

  get #helpers(): Helper[] {
    const { threads, restartMs = RESTART_MS } = this.#options;
    const { entry = new URL('../../helper.ts', import.meta.url) } = this.#options;
    const length = Math.min(MAX_HELPERS, threads - 1);
    this.#started ??= Array.from({ length }, () => new Helper({ entry, restartMs }));
    return this.#started;
  }

  static rangesOf(entries: number, threads: CountingThreads | null): number {
    return Math.max(1, Math.ceil(entries / (threads?.entriesAtOnce ?? ENTRIES_AT_ONCE)));
  }

  async ready(): Promise<void> {
    await Promise.all(this.#helpers.map(({ ready }) => ready));
  }

  /** A small question uses no thread. */
  help(request: () => HelpRequest, ranges: number): Promise<Counted | null>[] {
    const idle = ranges < this.#minRanges ? [] : this.#helpers.filter(({ isIdle }) => isIdle);
    if (idle.length === 0) return [];
    const asked = request();
    return idle.map((helper) => helper.ask(asked));
  }

  async stop(): Promise<void> {
    await Promise.all((this.#started ?? []).map((helper) => helper.stop()));
  }
}
