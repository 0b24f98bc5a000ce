import { type Static, Type } from '@sinclair/typebox';
import type { Discount, ExpiryReason, OfferKind } from '../../../shared/purchase.ts';
import { Nullable, parser } from '../../../shared/schema.ts';
import { STORED } from '../model/stored.ts';

const Text = Nullable(Type.String());
const Millis = Type.Number();

const StoredTransaction = Type.Object({
  transactionId: Type.String(),
  productId: Type.String(),
  /** Storefront, ISO 3166-1 alpha-3. */
  country: Text,
  purchasedAt: Millis,
  startsAt: Type.Optional(Nullable(Millis)),
  expiresAt: Nullable(Millis),
  firstExpiresAt: Nullable(Millis),
  revokedAt: Nullable(Millis),
  refundedAt: Type.Optional(Nullable(Millis)),
  regularMilliunits: Type.Optional(Nullable(Type.Number())),
  planPeriod: Type.Optional(Text),
  isAddOn: Type.Optional(Nullable(Type.Boolean())),
  upgraded: Type.Boolean(),
  autoRenewable: Type.Boolean(),
  familyShared: Type.Boolean(),
  freeTrial: Type.Boolean(),
  discountCode: Text,
  offerCode: Nullable(Type.Number()),
  offerId: Text,
  offerPeriod: Text,
  planCode: Text,
  priceMilliunits: Nullable(Type.Number()),
  currency: Text,
  /** Per 100,000; null for the whole price. */
  refundedMilliunits: Nullable(Type.Number()),
});
type StoredTransaction = Static<typeof StoredTransaction>;

const StoredNote = Type.Object({
  signedAt: Millis,
  willRenew: Type.Boolean(),
  retrying: Type.Boolean(),
  expiryCode: Nullable(Type.Number()),
  graceExpiresAt: Nullable(Millis),
});
type StoredNote = Static<typeof StoredNote>;

const stored = parser(
  Type.Object({ transactions: Type.Array(StoredTransaction), renewals: Type.Array(StoredNote) }),
  'history of a chain',
);

export type ChainTransaction = Omit<
  StoredTransaction,
  'discountCode' | 'offerCode' | 'offerId' | 'planCode'
> & {
  /** Its kind and, where it has one, `:` and its id. */
  offer: string | null;
  discount: Discount;
  billedMonthly: boolean;
};
export type RenewalNote = Omit<StoredNote, 'expiryCode'> & { expiryReason: ExpiryReason };
export type ChainHistory = { transactions: ChainTransaction[]; renewals: RenewalNote[] };

const offerName = (kind: OfferKind, id: string | null): string | null =>
  kind === null ? null : id === null ? kind : `${kind}:${id}`;

export function parseHistory(rows: { transactions: unknown; renewals: unknown }): ChainHistory {
  const { transactions, renewals } = stored.parse(rows);
  return {
    transactions: transactions.map(({ discountCode, offerCode, offerId, planCode, ...one }) => ({
      ...one,
      offer: offerName(STORED.offer.toWord(offerCode), offerId),
      discount: STORED.discount.toWord(discountCode),
      billedMonthly: STORED.billingPlan.toWord(planCode) === 'monthly',
    })),
    renewals: renewals.map(({ expiryCode, ...note }) => ({
      ...note,
      expiryReason: STORED.expiryReason.toWord(expiryCode),
    })),
  };
}
