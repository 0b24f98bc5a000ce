import { type Static, Type } from '@sinclair/typebox';
import { CHAIN_STATUSES } from '../../../shared/purchase.ts';
import { Nullable, OneOf } from '../../../shared/schema.ts';

const Millis = Type.Number();

const Holding = Type.Object({
  productId: Type.String(),
  purchasedAt: Millis,
  /** Null: lasts until revoked. */
  expiresAt: Nullable(Millis),
  revoked: Type.Boolean(),
  ownership: OneOf(['purchased', 'family_shared']),
  /** Of a month under a commitment: until when it is charged. */
  committedUntil: Type.Optional(Millis),
});
export type Holding = Static<typeof Holding>;

/**
 * Time-independent summary of a transaction chain: written when facts change, read by every query.
 * Times are milliseconds since the epoch.
 */
export const ChainDigest = Type.Object({
  chainId: Type.String(),
  /** The latest period or purchase; null when nothing in the chain entitles. */
  current: Nullable(Holding),
  /** The newest period where it was refunded and `current` is an earlier valid one. */
  refundedAfter: Nullable(Holding),
  /** Earlier products of the chain, for queries about one product. */
  past: Type.Array(Holding),
  renews: Type.Boolean(),
  /** Charged again although it does not renew: a commitment runs. */
  isCommitted: Type.Optional(Type.Literal(true)),
  /** Billing issue of the current period. */
  trouble: Nullable(
    Type.Object({ graceExpiresAt: Nullable(Millis), retrying: Type.Boolean(), asOf: Millis }),
  ),
  /** The store's status unless a later signature contradicts it. */
  status: Nullable(OneOf(CHAIN_STATUSES)),
  /** End of a period not received yet: the newest one was refunded, but the chain is active. */
  continuesUntil: Nullable(Millis),
});
export type ChainDigest = Static<typeof ChainDigest>;
