/** The work may still be running. */
export class TimeoutError extends Error {
  /** As in drivers: a hanging database counts as unavailable. */
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`There was no answer within ${limitMs} ms.`);
    this.name = 'TimeoutError';
  }
}

/** By default throws `TimeoutError`. */
export async function withTimeout<T, L = never>(
  work: Promise<T>,
  limitMs: number,
  late: () => L = () => {
    throw new TimeoutError(limitMs);
  },
): Promise<T | L> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, limitMs);
  try {
    return await Promise.race([work, limit.promise.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
