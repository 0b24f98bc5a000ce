import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf, QueryInteger } from '../../../shared/schema.ts';
import { StoreEnvironmentParameter } from './model.ts';

export const RECENT_DAYS_MAX = 31;
export const RECENT_LIMIT = 50;

export const RecentPurchasesQuery = Type.Object({
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      description: `ISO 8601 with an offset, at most ${RECENT_DAYS_MAX} days ago; 24 hours ago when left out.`,
    }),
  ),
  limit: Type.Optional(QueryInteger(1, 200, { whenLeftOut: RECENT_LIMIT })),
  environment: StoreEnvironmentParameter,
});
export type RecentPurchasesInput = Static<typeof RecentPurchasesQuery>;

/** Words of a customer's history. */
const RECENT_KINDS = ['bought', 'trial_started', 'refunded', 'payment_failed'] as const;

const Kind = OneOf(RECENT_KINDS, {
  description:
    '`bought` and `trial_started`: a new subscriber; `refunded`: also of a one-time purchase; `payment_failed`: a renewal that the store could not charge.',
});

const RecentChange = Named('RecentPurchase', {
  at: Type.Unsafe<string>({ ...DateTime, description: "By the store's clock." }),
  kind: Kind,
  sentence: Type.String({ description: "What happened, in words, as in a customer's history." }),
  productId: Type.String(),
  customerId: Type.String({
    description: 'The user who holds the purchase; its original transaction id while nobody does.',
  }),
  originalTransactionId: Type.String(),
  amountMinor: Nullable(
    Type.Integer({
      description:
        'Minor units of `currency`: what was paid, 0 of a trial; of a refund what was given back; of a failed payment what it is about. Null where the store did not say.',
    }),
  ),
  currency: Nullable(Type.String()),
  graceExpiresAt: Nullable(
    Type.Unsafe<string>({
      ...DateTime,
      description: 'Of a failed payment: until when there is access meanwhile.',
    }),
  ),
});
export type RecentChange = Static<typeof RecentChange>;

const RecentTotal = Type.Object({
  kind: Kind,
  count: Type.Integer({ minimum: 1 }),
  amounts: Type.Array(Type.Object({ currency: Type.String(), amountMinor: Type.Integer() })),
  withoutPrice: Type.Integer({ minimum: 0, description: 'Counted, but in no amount.' }),
});
export type RecentTotal = Static<typeof RecentTotal>;

export const RecentPurchases = Named('RecentPurchases', {
  since: DateTime,
  until: DateTime,
  totals: Type.Array(RecentTotal, { description: 'Of all changes, also those beyond the limit.' }),
  changes: Type.Array(RecentChange, { description: 'Newest first.' }),
  more: Type.Integer({ minimum: 0, description: 'Changes beyond the limit, which are older.' }),
});
export type RecentPurchases = Static<typeof RecentPurchases>;
