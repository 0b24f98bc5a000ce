import { RETRY_DELAYS_SECONDS } from '../src/temporal/contracts/webhooks.ts';

/** Null after the last attempt. */
export function nextDelaySeconds(failedAttempts: number): number | null {
  return RETRY_DELAYS_SECONDS[failedAttempts - 1] ?? null;
}
