/** Remaining requests and seconds until reset. */
export type Allowance = { remaining: number; resetInSeconds: number };

/** A 429 for one process pauses all. */
export interface ProviderRateLimit {
  take(provider: string): Promise<number | null>;
  /** Within a period the lower count wins. */
  note(provider: string, allowance: Allowance): Promise<void>;
}
