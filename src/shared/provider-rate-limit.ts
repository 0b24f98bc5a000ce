/** What a provider said about its limit: requests left, and in how many seconds they are renewed. */
export type Allowance = { remaining: number; resetInSeconds: number };

/**
 * The memory of a provider's limits, shared by every process that asks it, so that one of them being
 * told to wait makes all of them wait.
 */
export interface ProviderRateLimit {
  /** Counts one request; answers the seconds to wait first, or null to go ahead. */
  take(provider: string): Promise<number | null>;
  /** Keeps what the last answer said; the lower figure wins within one period. */
  note(provider: string, allowance: Allowance): Promise<void>;
}
