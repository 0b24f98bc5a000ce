import { DAY_MS } from '../../../shared/time.ts';

export const billingRetryMs = (isCommitted: boolean): number => (isCommitted ? 90 : 60) * DAY_MS;

export const ENTITLEMENT_STATUSES = [
  'active',
  'billing_grace',
  'billing_retry',
  'expired',
  'revoked',
  'none',
] as const;
export type EntitlementStatus = (typeof ENTITLEMENT_STATUSES)[number];
