import { type Static, Type } from '@sinclair/typebox';
import { Nullable, OneOf } from './schema.ts';

export const PRODUCT_KINDS = [
  'consumable',
  'non_consumable',
  'non_renewing',
  'auto_renewable',
  'unknown',
] as const;
export type ProductKind = (typeof PRODUCT_KINDS)[number];

export const PRODUCT_PERIODS = ['P1W', 'P1M', 'P2M', 'P3M', 'P6M', 'P1Y'] as const;
export type ProductPeriod = (typeof PRODUCT_PERIODS)[number];

export const PRODUCT_STATES = [
  'missing_metadata',
  'waiting_for_upload',
  'processing_content',
  'ready_to_submit',
  'waiting_for_review',
  'in_review',
  'developer_action_needed',
  'pending_binary_approval',
  'approved',
  'developer_removed_from_sale',
  'removed_from_sale',
  'rejected',
  'unknown',
] as const;
export type ProductState = (typeof PRODUCT_STATES)[number];

export const StoreProduct = Type.Object({
  productId: Type.String(),
  storeId: Type.String(),
  kind: OneOf(PRODUCT_KINDS),
  name: Type.String(),
  /** Null unless it renews. */
  period: Nullable(OneOf(PRODUCT_PERIODS)),
  group: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
  /** In its group; 1 is the highest. */
  level: Nullable(Type.Integer()),
  familySharable: Type.Boolean(),
  state: OneOf(PRODUCT_STATES),
});
export type StoreProduct = Static<typeof StoreProduct>;
