/** Remaining requests and seconds until reset. */
export type Allowance = { remaining: number; resetInSeconds: number };

/** Shared, so that a 429 for one process pauses all. */
export interface ProviderRateLimit {
  /** Counts a request; returns seconds to wait, or null. */
  take(provider: string): Promise<number | null>;
  /** Within a period the lower count wins. */
  note(provider: string, allowance: Allowance): Promise<void>;
}
