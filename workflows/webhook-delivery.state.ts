import { RETRY_DELAYS_SECONDS } from '../src/temporal/contracts/webhooks.ts';

/** The wait before the next attempt, or null when the delivery is given up. */
export function nextDelaySeconds(failedAttempts: number): number | null {
  return RETRY_DELAYS_SECONDS[failedAttempts - 1] ?? null;
}
