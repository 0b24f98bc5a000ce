import { messageOf } from '../shared/errors.ts';
import { MINUTE_MS } from '../shared/time.ts';
import type { Reporter } from './store.ts';

const AGAIN_MS = MINUTE_MS;

/**
 * Reports what a loop tries again: the first fault at once, further ones each minute, and when it
 * works again. An outage may be long, and a line each second would hide everything else.
 */
export class FailureLog {
  #saidAtMs = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  constructor(
    private readonly log: Pick<Reporter, 'error' | 'warn'>,
    private readonly texts: { failed: string; works: string },
  ) {}

  get isFailing(): boolean {
    return this.#isFailing;
  }

  failed(
    thrown: unknown,
    level: 'error' | 'warn' = 'error',
    nowMs: number = performance.now(),
  ): void {
    this.#isFailing = true;
    if (nowMs - this.#saidAtMs < AGAIN_MS) return;
    this.#saidAtMs = nowMs;
    this.log[level]({ err: messageOf(thrown) }, this.texts.failed);
  }

  worked(): void {
    if (this.#isFailing) this.log.warn({}, this.texts.works);
    this.#isFailing = false;
    this.#saidAtMs = Number.NEGATIVE_INFINITY;
  }
}
