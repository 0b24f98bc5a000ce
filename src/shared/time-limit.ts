/** The work may still be running. */
export class TimeLimitError extends Error {
  /** As in drivers: a hanging database counts as unavailable. */
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`There was no answer within ${limitMs} ms.`);
    this.name = 'TimeLimitError';
  }
}

/** After `limitMs` the result of `late`, which throws `TimeLimitError` by default. */
export async function withTimeLimit<T, L = never>(
  work: Promise<T>,
  limitMs: number,
  late: () => L = () => {
    throw new TimeLimitError(limitMs);
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
