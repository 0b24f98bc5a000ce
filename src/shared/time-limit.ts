/** The work took longer than whoever waits for it allows; it may still be running. */
export class TimeLimitError extends Error {
  /** As the drivers name it, so that a database that hangs counts as one that is away. */
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`There was no answer within ${limitMs} ms.`);
    this.name = 'TimeLimitError';
  }
}

/** The result of `work`, or `TimeLimitError` when it takes longer. */
export async function withTimeLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError(limitMs)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
