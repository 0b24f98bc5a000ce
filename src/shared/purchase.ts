import { type Static, Type } from '@sinclair/typebox';
import { STORE_ENVIRONMENTS } from './environment.ts';
import { Nullable, OneOf } from './schema.ts';
import type { Unlisted } from './word-codes.ts';

export const CHAIN_STATUSES = ['active', 'expired', 'retry', 'grace', 'revoked'] as const;
export type ChainStatus = (typeof CHAIN_STATUSES)[number];

const Environment = OneOf(STORE_ENVIRONMENTS);
/** Since the epoch. */
const Millis = Type.Number();

/** Counts the periods that the customer is committed to. */
export const CommitmentPeriod = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  total: Type.Integer({ minimum: 1 }),
});

export const Transaction = Type.Object({
  environment: Environment,
  bundleId: Type.String(),
  transactionId: Type.String(),
  /** Shared by renewals, upgrades and offers of a purchase. */
  chainId: Type.String(),
  productId: Type.String(),
  type: OneOf(['subscription', 'non_consumable', 'non_renewing', 'consumable', 'unknown']),
  purchasedAt: Millis,
  /** Start of a period paid early or late. */
  startsAt: Type.Optional(Millis),
  expiresAt: Nullable(Millis),
  /** Set while refunded or revoked; cleared by a reversal. */
  revokedAt: Nullable(Millis),
  /** Refund that leaves the purchase. */
  refundedAt: Type.Optional(Millis),
  /** Price of a whole period that credit pays in part. */
  regularMilliunits: Type.Optional(Type.Number()),
  /** Length of the plan, such as `P1M`. */
  planPeriod: Type.Optional(Type.String()),
  /** Runs beside the plan of its chain. */
  isAddOn: Type.Optional(Type.Literal(true)),
  /** Its order cannot be read. */
  isEstimated: Type.Optional(Type.Literal(true)),
  /** By an upgrade in the same subscription group. */
  upgraded: Type.Boolean(),
  ownership: OneOf(['purchased', 'family_shared']),
  /** Lower-case UUID the app signed the purchase with. */
  appAccountToken: Nullable(Type.String()),
  /** Decided on by `periodKind` only. */
  freeTrial: Type.Boolean(),
  /** End of a monthly commitment; absent otherwise. */
  committedUntil: Type.Optional(Millis),
  commitmentPeriod: Type.Optional(CommitmentPeriod),
  signedAt: Millis,
});
export type Transaction = Static<typeof Transaction>;

/** Last signed data on a chain's next period. */
export const Renewal = Type.Object({
  environment: Environment,
  chainId: Type.String(),
  /** Under a commitment, for the time after it. */
  willRenew: Type.Boolean(),
  /** Charged despite `willRenew: false`, by commitment. Absent otherwise. */
  isCommitted: Type.Optional(Type.Literal(true)),
  inBillingRetry: Type.Boolean(),
  graceExpiresAt: Nullable(Millis),
  renewsAt: Nullable(Millis),
  signedAt: Millis,
});
export type Renewal = Static<typeof Renewal>;

export const OFFER_KINDS = ['introductory', 'promotional', 'offer_code', 'win_back'] as const;
export const DISCOUNTS = ['free_trial', 'pay_as_you_go', 'pay_up_front'] as const;
/** `monthly` under a commitment. */
export const BILLING_PLANS = ['monthly', 'up_front'] as const;
export const EXPIRY_REASONS = [
  'canceled',
  'billing',
  'price_increase',
  'product_unavailable',
  'other',
] as const;
export const REFUND_REASONS = ['other', 'app_issue'] as const;
export const PRICE_INCREASES = ['pending', 'accepted'] as const;

type WordOf<Words extends readonly string[]> = Words[number] | Unlisted | null;
export type OfferKind = WordOf<typeof OFFER_KINDS>;
export type Discount = WordOf<typeof DISCOUNTS>;
export type BillingPlan = WordOf<typeof BILLING_PLANS>;
export type ExpiryReason = WordOf<typeof EXPIRY_REASONS>;
export type RefundReason = WordOf<typeof REFUND_REASONS>;
export type PriceIncrease = WordOf<typeof PRICE_INCREASES>;

type MillisOrNull = number | null;
type TextOrNull = string | null;

type Offer = {
  offer: OfferKind;
  offerId: TextOrNull;
  discount: Discount;
  offerPeriod: TextOrNull;
};

/** Missing or malformed fields are null; `text` keeps them. */
export type TransactionDetails = Offer & {
  /** As signed. */
  text: string;
  /** 10990 is 10.99. */
  priceMilliunits: number | null;
  currency: TextOrNull;
  /** ISO 3166-1 alpha-3. */
  storefront: TextOrNull;
  quantity: number | null;
  subscriptionGroup: TextOrNull;
  originalPurchasedAt: MillisOrNull;
  transactionReason: TextOrNull;
  refundReason: RefundReason;
  revocationType: TextOrNull;
  revocationPercentageMilliunits: number | null;
  billingPlan: BillingPlan;
  commitmentExpiresAt: MillisOrNull;
  /** A seat through an organization: entitled, not paid. */
  isAssigned: boolean;
  appTransactionId?: TextOrNull;
};

export type RenewalDetails = Offer & {
  text: string;
  /** Ignores the time of signing. */
  contentHash: string;
  productId: TextOrNull;
  autoRenewProductId: TextOrNull;
  expiryReason: ExpiryReason;
  subscriptionStartedAt: MillisOrNull;
  renewalPriceMilliunits: number | null;
  currency: TextOrNull;
  priceIncrease: PriceIncrease;
};

export type SignedTransaction = { snapshot: Transaction; details: TransactionDetails };
export type SignedRenewal = { snapshot: Renewal; details: RenewalDetails };
