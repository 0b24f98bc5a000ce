/**
 * Round-robin over a long list, one batch a call: resumes where the last call ended and starts over
 * after the end, so that no entry starves.
 */
export class Round<T> {
  private last: T | null = null;

  constructor(private readonly limit: number) {}

  /** `select` gives at most `limit` entries that come after `after`, in one stable order. */
  async next(select: (after: T | null, limit: number) => Promise<T[]>): Promise<T[]> {
    const part = await select(this.last, this.limit);
    const isFull = part.length === this.limit;
    this.last = isFull ? (part.at(-1) ?? null) : null;
    return part;
  }
}
