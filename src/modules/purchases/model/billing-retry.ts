import { DAY_MS } from '../../../shared/time.ts';

export const billingRetryMs = (isCommitted: boolean): number => (isCommitted ? 90 : 60) * DAY_MS;
