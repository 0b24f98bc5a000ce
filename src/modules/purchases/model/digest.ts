import { type Static, Type } from '@sinclair/typebox';
import { CHAIN_STATUSES, CommitmentPeriod } from '../../../shared/purchase.ts';
import { Nullable, OneOf } from '../../../shared/schema.ts';

const Millis = Type.Number();

const Holding = Type.Object({
  productId: Type.String(),
  purchasedAt: Millis,
  /** Null: lasts until revoked. */
  expiresAt: Nullable(Millis),
  revoked: Type.Boolean(),
  ownership: OneOf(['purchased', 'family_shared']),
  /** End of the charges of a monthly commitment. */
  committedUntil: Type.Optional(Millis),
  commitmentPeriod: Type.Optional(CommitmentPeriod),
});
export type Holding = Static<typeof Holding>;

/** Written when facts change. Times in epoch milliseconds. */
export const ChainDigest = Type.Object({
  chainId: Type.String(),
  current: Nullable(Holding),
  /** The newest period, refunded, when an earlier one is still valid. */
  refundedAfter: Nullable(Holding),
  past: Type.Array(Holding),
  renews: Type.Boolean(),
  /** A commitment runs: charged although not renewing. */
  isCommitted: Type.Optional(Type.Literal(true)),
  /** Billing issue of the current period. */
  trouble: Nullable(
    Type.Object({ graceExpiresAt: Nullable(Millis), retrying: Type.Boolean(), asOf: Millis }),
  ),
  /** The store's status unless a later signature contradicts it. */
  status: Nullable(OneOf(CHAIN_STATUSES)),
  /** Not received yet, after a refund in an active chain. */
  continuesUntil: Nullable(Millis),
});
export type ChainDigest = Static<typeof ChainDigest>;
