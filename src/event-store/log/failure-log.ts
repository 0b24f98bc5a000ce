import { errorMessage } from '../../shared/errors.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import type { Reporter } from '../store.ts';

const AGAIN_MS = MINUTE_MS;

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
    this.log[level]({ err: errorMessage(thrown) }, this.texts.failed);
  }

  worked(): void {
    if (this.#isFailing) this.log.warn({}, this.texts.works);
    this.#isFailing = false;
    this.#saidAtMs = Number.NEGATIVE_INFINITY;
  }
}
