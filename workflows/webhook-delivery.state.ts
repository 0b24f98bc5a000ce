/** How long to wait after each failed attempt, in seconds: about 28 hours in all. */
export const RETRY_DELAYS_SECONDS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 36_000];

export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

/** The wait before the next attempt, or null when the delivery is given up. */
export function nextDelaySeconds(failedAttempts: number): number | null {
  return RETRY_DELAYS_SECONDS[failedAttempts - 1] ?? null;
}
