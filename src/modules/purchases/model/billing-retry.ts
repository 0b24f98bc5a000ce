import { DAY_MS } from '../../../shared/time.ts';

/** Of the store's retries of a failed renewal; longer under a commitment. */
export const billingRetryMs = (isCommitted: boolean): number => (isCommitted ? 90 : 60) * DAY_MS;
