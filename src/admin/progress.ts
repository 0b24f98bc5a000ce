import { AppError } from '../shared/errors.ts';
import { MINUTE_MS, SECOND_MS } from '../shared/time.ts';
import { terminal } from './terminal.ts';

const EVERY_MS = SECOND_MS;

export type Patience = { report: (text: string) => void; signal: AbortSignal };

/** Says how far long work is, once a second at most; on standard error, so that results stay apart. */
function reporter(say: (text: string) => void): (text: string) => void {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  return (text) => {
    const nowMs = performance.now();
    if (nowMs - saidAtMs < EVERY_MS) return;
    saidAtMs = nowMs;
    say(text);
  };
}

/** Runs work that says how far it is, and that ends when it takes longer than the limit. */
export async function withinMinutes<T>(
  limitMinutes: number,
  work: (patience: Patience) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(limitMinutes * MINUTE_MS);
  try {
    return await work({ report: reporter(terminal.err), signal });
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    throw new AppError(
      'unavailable',
      `It was not done after ${limitMinutes} minutes and was ended.`,
      {
        cause: thrown,
        hint: 'Raise --limit-minutes if it went on until then.',
      },
    );
  }
}
