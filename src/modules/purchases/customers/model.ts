import { type Static, Type } from '@sinclair/typebox';
import { CUSTOMER_STATES } from '../../../shared/customer-state.ts';
import { REAL_PURCHASES, STORE_ENVIRONMENTS } from '../../../shared/environment.ts';
import { DateTime, Named, Nullable, OneOf, QueryInteger } from '../../../shared/schema.ts';
import { Text } from '../../../shared/text.ts';
import { PurchaseGrant } from '../model/grant.ts';
import { ENTITLEMENT_STATUSES } from '../model/status.ts';
import { CommitmentPeriodShown, Entitlement, Holder } from '../model/wire.ts';

export const CUSTOMER_PAGE = 50;

export const CustomersQuery = Type.Object({
  search: Type.Optional(
    Text(1, 128, {
      description:
        "A user id, an anonymous id, an account token, a transaction id, or the order id of the store's mail, which the store is asked about with your purchase key.",
    }),
  ),
  state: Type.Optional(
    OneOf(CUSTOMER_STATES, {
      description:
        'Of the list: only `active` ones, those in `trouble` (`billing_grace`, `billing_retry`), or those that `ended`. In a very long list a page may hold fewer than `limit` and still have a `nextCursor`.',
    }),
  ),
  environment: Type.Optional(
    OneOf(STORE_ENVIRONMENTS, {
      description: 'Of the list; a search finds both.',
      whenLeftOut: REAL_PURCHASES,
    }),
  ),
  cursor: Type.Optional(Text(1, 128, { description: '`nextCursor` of the page before.' })),
  limit: Type.Optional(QueryInteger(1, 200, { whenLeftOut: CUSTOMER_PAGE })),
});
export type CustomersInput = Static<typeof CustomersQuery>;

const ChainStatus = OneOf(ENTITLEMENT_STATUSES, {
  description: 'Of this purchase alone. `none`: nothing of it entitles, such as a consumable.',
});

const CHAIN = {
  environment: OneOf(STORE_ENVIRONMENTS),
  originalTransactionId: Type.String(),
  productId: Nullable(Type.String()),
  status: ChainStatus,
  expiresAt: Nullable(DateTime),
  willRenew: Type.Boolean(),
  graceExpiresAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'The end of access, of `billing_grace`.' }),
  ),
  committedUntil: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The end of a commitment that is billed by month.',
    }),
  ),
  commitmentPeriod: Type.Optional(CommitmentPeriodShown),
  checkedAt: DateTime,
};

const CustomerPurchase = Type.Object({
  customerId: Type.String({
    description: 'The user who holds the purchase; its original transaction id while nobody does.',
  }),
  userId: Nullable(Type.String()),
  ...CHAIN,
});
export type CustomerPurchase = Static<typeof CustomerPurchase>;

export const ORDER_LOOKUPS = ['found', 'not_found', 'no_key'] as const;

export const Customers = Type.Object(
  {
    customers: Type.Array(CustomerPurchase),
    nextCursor: Nullable(Type.String()),
    orderLookup: Nullable(
      OneOf(ORDER_LOOKUPS, {
        description:
          'Whether the store knows the search as an order id; null where it was not asked.',
      }),
    ),
  },
  { title: 'PurchaseCustomersPage' },
);
export type Customers = Static<typeof Customers>;

export const CustomerParams = Type.Object({ id: Type.String(), customerId: Text(1, 128) });

const ById = {
  customerId: Text(1, 128, {
    description: 'A user id, or the original transaction id of a purchase that nobody holds.',
  }),
};
export const CustomerByIdQuery = Type.Object(ById);
export const RefreshCustomerBody = Named('RefreshPurchaseCustomerBody', ById, {
  examples: [{ customerId: 'user-4711' }],
});

const CustomerTransaction = Type.Object({
  transactionId: Type.String(),
  productId: Type.String(),
  purchasedAt: DateTime,
  startsAt: Type.Optional(
    Type.Unsafe<string>({
      ...DateTime,
      description: 'When its period began, where it was charged at another time.',
    }),
  ),
  expiresAt: Nullable(DateTime),
  revokedAt: Nullable(DateTime),
  refundedAt: Nullable(
    Type.Unsafe<string>({
      ...DateTime,
      description: 'When the money was given back, also where the purchase stays.',
    }),
  ),
  isAddOn: Type.Boolean({ description: 'Google Play: bought beside a plan.' }),
  upgraded: Type.Boolean(),
  freeTrial: Type.Boolean(),
  ownership: OneOf(['purchased', 'family_shared']),
  priceMilliunits: Nullable(
    Type.Integer({ description: 'Thousandths of the currency: 10990 is 10.99.' }),
  ),
  currency: Nullable(Type.String()),
  storefront: Nullable(Type.String()),
  reason: Nullable(Type.String({ description: "The store's: `PURCHASE` or `RENEWAL`." })),
});
export type CustomerTransaction = Static<typeof CustomerTransaction>;

const RenewalChange = Type.Object({
  at: DateTime,
  willRenew: Type.Boolean(),
  renewsTo: Nullable(Type.String({ description: 'The product that it renews to.' })),
  inBillingRetry: Type.Boolean(),
  graceExpiresAt: Nullable(DateTime),
  expirationIntent: Nullable(
    Type.Integer({
      description:
        "The store's: 1 cancelled, 2 billing, 3 a price increase refused, 4 product gone, 5 other.",
    }),
  ),
});
export type RenewalChange = Static<typeof RenewalChange>;

export const REASONS = [
  'paid',
  'lifetime',
  'trial',
  'family_shared',
  'granted',
  'grace',
  'leeway',
  'sandbox',
  'billing_retry',
  'expired',
  'refunded',
  'grant_ended',
  'sandbox_not_allowed',
  'nothing_bought',
] as const;

export const HISTORY_MAX = 200;

const HISTORY_KINDS = [
  'bought',
  'trial_started',
  'renewed',
  'product_changed',
  'refunded',
  'unshared',
  'ended',
  'renewal_off',
  'renewal_on',
  'payment_failed',
  'granted',
  'grant_ended',
  'consent_rescinded',
] as const;

const HistoryEntry = Type.Object({
  at: DateTime,
  kind: OneOf(HISTORY_KINDS),
  sentence: Type.String({ description: 'What happened, in words.' }),
  productId: Nullable(Type.String()),
  originalTransactionId: Nullable(
    Type.String({ description: 'Null for a grant, and for a consent.' }),
  ),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

export const Customer = Type.Object(
  {
    customerId: Type.String(),
    entitlement: Entitlement,
    reason: Type.Object({
      code: OneOf(REASONS),
      sentence: Type.String({ description: 'Why this person is entitled, or is not, in words.' }),
    }),
    purchases: Type.Array(
      Type.Object({
        ...CHAIN,
        holders: Type.Array(Holder),
        transactions: Type.Array(CustomerTransaction, {
          description: 'Newest first, 100 at most.',
        }),
        renewals: Type.Array(RenewalChange, {
          description: 'What the store said of the renewal, newest first, 100 at most.',
        }),
      }),
    ),
    grants: Type.Array(PurchaseGrant),
    history: Type.Array(HistoryEntry, {
      description: `What happened, newest first, one sentence each, ${HISTORY_MAX} at most.`,
    }),
  },
  { title: 'PurchaseCustomer' },
);
export type Customer = Static<typeof Customer>;
