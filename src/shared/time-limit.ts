/** The work took longer than its caller waits; it may still be running. */
export class TimeLimitError extends Error {
  /** As drivers name it: a database that hangs counts as one that is away. */
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`There was no answer within ${limitMs} ms.`);
    this.name = 'TimeLimitError';
  }
}

/** The result of `work`, or after `limitMs` that of `late`, which throws `TimeLimitError` if left out. */
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
