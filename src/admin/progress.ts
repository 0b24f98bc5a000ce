import { Type } from '@sinclair/typebox';
import { AppError } from '../shared/errors.ts';
import { MINUTE_MS, SECOND_MS } from '../shared/time.ts';
import { terminal } from './terminal.ts';

const REPORT_EVERY_MS = SECOND_MS;

const USUAL_LIMIT_MINUTES = 12 * 60;

export const LimitMinutes = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: `Cancels it after so many minutes; ${USUAL_LIMIT_MINUTES} by default`,
  }),
);

type Reporting = { report: (text: string) => void; signal: AbortSignal };

function reporter() {
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  let unsaid: string | null = null;
  const print = (text: string) => {
    unsaid = null;
    terminal.err(text);
  };
  return {
    report: (text: string) => {
      const nowMs = performance.now();
      unsaid = text;
      if (nowMs - reportedAtMs < REPORT_EVERY_MS) return;
      reportedAtMs = nowMs;
      print(text);
    },
    end: () => {
      if (unsaid !== null) print(unsaid);
    },
  };
}

export async function withinMinutes<T>(
  limitMinutes: number | undefined,
  work: (reporting: Reporting) => Promise<T>,
): Promise<T> {
  const limit = limitMinutes ?? USUAL_LIMIT_MINUTES;
  const signal = AbortSignal.timeout(limit * MINUTE_MS);
  const { report, end } = reporter();
  try {
    return await work({ report, signal }).finally(end);
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    throw new AppError('unavailable', `It was not done after ${limit} minutes and was cancelled.`, {
      cause: thrown,
      hint: 'Raise --limit-minutes if it was still making progress.',
    });
  }
}
