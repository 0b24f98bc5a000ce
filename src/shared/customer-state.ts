export const CUSTOMER_STATES = ['active', 'trouble', 'ended'] as const;

export const CUSTOMER_STATE = {
  active: 'active',
  billing_grace: 'trouble',
  billing_retry: 'trouble',
  expired: 'ended',
  revoked: 'ended',
  none: 'ended',
} as const satisfies Record<string, (typeof CUSTOMER_STATES)[number]>;
