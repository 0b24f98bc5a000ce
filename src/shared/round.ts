/** Resumes after the last entry, so that none starves. */
export class Round<T> {
  private last: T | null = null;

  constructor(private readonly limit: number) {}

  /** `select`: up to `limit` entries after `after`, in a stable order. */
  async next(select: (after: T | null, limit: number) => Promise<T[]>): Promise<T[]> {
    const part = await select(this.last, this.limit);
    const isFull = part.length === this.limit;
    this.last = isFull ? (part.at(-1) ?? null) : null;
    return part;
  }
}
