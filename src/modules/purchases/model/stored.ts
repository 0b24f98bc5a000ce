import { type Static, Type } from '@sinclair/typebox';
import { must } from '../../../shared/assert.ts';
import * as purchase from '../../../shared/purchase.ts';
import { Nullable, OneOf, parser } from '../../../shared/schema.ts';
import { wordCodes } from '../../../shared/word-codes.ts';

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
  commitmentPeriod: Type.Optional(purchase.CommitmentPeriod),
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
  status: Nullable(OneOf(purchase.CHAIN_STATUSES)),
  /** Not received yet, after a refund in an active chain. */
  continuesUntil: Nullable(Millis),
});
export type ChainDigest = Static<typeof ChainDigest>;

/** The App Store's numbers, as the first release stored them. */
const STATUS_CODES: Readonly<Record<purchase.ChainStatus, number>> = {
  active: 1,
  expired: 2,
  retry: 3,
  grace: 4,
  revoked: 5,
};
export const statusCode = (status: purchase.ChainStatus): number => STATUS_CODES[status];

export const STORED = {
  offer: wordCodes(
    purchase.OFFER_KINDS,
    { introductory: 1, promotional: 2, offer_code: 3, win_back: 4 },
    Number,
  ),
  discount: wordCodes(
    purchase.DISCOUNTS,
    { free_trial: 'FREE_TRIAL', pay_as_you_go: 'PAY_AS_YOU_GO', pay_up_front: 'PAY_UP_FRONT' },
    String,
  ),
  billingPlan: wordCodes(
    purchase.BILLING_PLANS,
    { monthly: 'MONTHLY', up_front: 'BILLED_UPFRONT' },
    String,
  ),
  expiryReason: wordCodes(
    purchase.EXPIRY_REASONS,
    { canceled: 1, billing: 2, price_increase: 3, product_unavailable: 4, other: 5 },
    Number,
  ),
  refundReason: wordCodes(purchase.REFUND_REASONS, { other: 0, app_issue: 1 }, Number),
  priceIncrease: wordCodes(purchase.PRICE_INCREASES, { pending: 0, accepted: 1 }, Number),
};

const transactionParser = parser(purchase.Transaction, 'purchase_transactions snapshot');
const renewalParser = parser(Nullable(purchase.Renewal), 'purchase_chains renewal');
const digestParser = parser(ChainDigest, 'purchase_chains digest');

type Chained = { chainId: string };

const toStored = ({ chainId, ...record }: Chained): object => ({
  ...record,
  originalTransactionId: chainId,
});

function fromStored(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null) return stored;
  const { originalTransactionId: chainId, ...record } = { originalTransactionId: null, ...stored };
  return { ...record, chainId };
}

export const storedTransaction = (transaction: purchase.Transaction): string =>
  JSON.stringify(toStored(transaction));
export const parseTransaction = (stored: unknown): purchase.Transaction =>
  transactionParser.parse(fromStored(stored));

export const storedRenewal = (renewal: purchase.Renewal | null): string | null =>
  renewal === null ? null : JSON.stringify(toStored(renewal));
export const parseRenewal = (stored: unknown): purchase.Renewal | null =>
  renewalParser.parse(fromStored(stored));

export const storedDigest = (digest: ChainDigest): string =>
  JSON.stringify({
    ...toStored(digest),
    status: digest.status === null ? null : statusCode(digest.status),
  });

export function parseStatus(code: unknown): purchase.ChainStatus | null {
  if (code === null) return null;
  const status = purchase.CHAIN_STATUSES.find((known) => STATUS_CODES[known] === code);
  return must(status, 'only known statuses are stored');
}

export function parseDigest(stored: unknown): ChainDigest {
  const digest = fromStored(stored);
  if (typeof digest !== 'object' || digest === null) return digestParser.parse(digest);
  const { status, ...rest } = { status: null, ...digest };
  return digestParser.parse({ ...rest, status: parseStatus(status) });
}
