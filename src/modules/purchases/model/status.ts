export const ENTITLEMENT_STATUSES = [
  'active',
  'billing_grace',
  'billing_retry',
  'expired',
  'revoked',
  'none',
] as const;
export type EntitlementStatus = (typeof ENTITLEMENT_STATUSES)[number];
