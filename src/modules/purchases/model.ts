import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Nullable, OneOf } from '../../shared/schema.ts';

export const ENTITLEMENT_STATUSES = [
  'active',
  'billing_grace',
  'billing_retry',
  'expired',
  'revoked',
  'none',
] as const;

export const Entitlement = Type.Object({
  entitled: Type.Boolean(),
  status: OneOf(ENTITLEMENT_STATUSES),
  productId: Nullable(Type.String()),
  expiresAt: Nullable(DateTime),
  graceExpiresAt: Nullable(DateTime),
  willRenew: Type.Boolean(),
  ownership: Nullable(OneOf(['purchased', 'family_shared'])),
  originalTransactionId: Nullable(Type.String()),
  checkedAt: DateTime,
});
export type Entitlement = Static<typeof Entitlement>;
export type EntitlementStatus = Entitlement['status'];
