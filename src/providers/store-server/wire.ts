import { Type } from '@sinclair/typebox';
import { parser } from '../../shared/schema.ts';

/** The store adds fields and values at any time. */
const Millis = Type.Number({ minimum: 0, maximum: 8.64e15 });
const Id = Type.String({ minLength: 1, maxLength: 128 });
const Word = Type.String({ maxLength: 256 });
/** Odd values must not reject the rest. */
const Anything = Type.Optional(Type.Unknown());
const OFFER = {
  offerType: Anything,
  offerIdentifier: Anything,
  offerDiscountType: Anything,
  offerPeriod: Anything,
};
const Jws = Type.String({ minLength: 1, maxLength: 65_536 });

const TransactionPayload = Type.Object({
  originalTransactionId: Id,
  transactionId: Id,
  bundleId: Id,
  productId: Type.String({ minLength: 1, maxLength: 256 }),
  purchaseDate: Millis,
  expiresDate: Type.Optional(Millis),
  type: Type.Optional(Word),
  appAccountToken: Type.Optional(Word),
  inAppOwnershipType: Type.Optional(Word),
  signedDate: Millis,
  revocationDate: Type.Optional(Millis),
  isUpgraded: Type.Optional(Type.Boolean()),
  environment: Word,
  ...OFFER,
  price: Anything,
  currency: Anything,
  storefront: Anything,
  quantity: Anything,
  subscriptionGroupIdentifier: Anything,
  originalPurchaseDate: Anything,
  transactionReason: Anything,
  revocationReason: Anything,
  revocationType: Anything,
  revocationPercentage: Anything,
  billingPlanType: Anything,
  commitmentInfo: Anything,
  appTransactionId: Anything,
});

const RenewalPayload = Type.Object({
  originalTransactionId: Id,
  autoRenewStatus: Type.Optional(Type.Number()),
  isInBillingRetryPeriod: Type.Optional(Type.Boolean()),
  gracePeriodExpiresDate: Type.Optional(Millis),
  renewalDate: Type.Optional(Millis),
  signedDate: Millis,
  environment: Word,
  ...OFFER,
  productId: Anything,
  autoRenewProductId: Anything,
  expirationIntent: Anything,
  recentSubscriptionStartDate: Anything,
  renewalPrice: Anything,
  currency: Anything,
  priceIncreaseStatus: Anything,
  commitmentInfo: Anything,
});

const AppReference = {
  environment: Type.Optional(Word),
  appAppleId: Type.Optional(Type.Number()),
  bundleId: Id,
};

const NotificationPayload = Type.Object({
  notificationType: Word,
  subtype: Type.Optional(Word),
  notificationUUID: Id,
  signedDate: Millis,
  data: Type.Optional(
    Type.Object({
      ...AppReference,
      signedTransactionInfo: Type.Optional(Jws),
      signedRenewalInfo: Type.Optional(Jws),
      status: Type.Optional(Type.Number()),
      consumptionRequestReason: Anything,
    }),
  ),
  summary: Type.Optional(Type.Object(AppReference)),
  appData: Type.Optional(
    Type.Object({ ...AppReference, signedAppTransactionInfo: Type.Optional(Jws) }),
  ),
  externalPurchaseToken: Type.Optional(
    Type.Object({
      ...AppReference,
      externalPurchaseId: Type.Optional(Word),
      tokenCreationDate: Anything,
    }),
  ),
});

const AppTransactionPayload = Type.Object({
  bundleId: Id,
  receiptType: Word,
  appAppleId: Type.Optional(Type.Number()),
  appTransactionId: Id,
});

export const commitment = parser(
  Type.Object({ commitmentExpiresDate: Millis }),
  'commitment of a transaction',
);
export const commitmentPeriod = parser(
  Type.Object({
    billingPeriodNumber: Type.Integer({ minimum: 1 }),
    totalBillingPeriods: Type.Integer({ minimum: 1, maximum: 1_000 }),
  }),
  'period of a commitment',
);
export const commitmentRenewal = parser(
  Type.Object({ commitmentAutoRenewStatus: Type.Union([Type.Literal(0), Type.Literal(1)]) }),
  'commitment of renewal information',
);

export const transactionPayload = parser(TransactionPayload, 'transaction');
export const renewalPayload = parser(RenewalPayload, 'renewal information');
export const notificationPayload = parser(NotificationPayload, 'notification');
export const appTransactionPayload = parser(AppTransactionPayload, 'app transaction');

export type TransactionPayload = ReturnType<typeof transactionPayload.parse>;
export type RenewalPayload = ReturnType<typeof renewalPayload.parse>;
export type NotificationPayload = ReturnType<typeof notificationPayload.parse>;
export type AppTransactionPayload = ReturnType<typeof appTransactionPayload.parse>;

export const transactionAnswer = parser(
  Type.Object({ signedTransactionInfo: Jws }),
  'transaction answer',
);

/** 0: known order; transactions are missing otherwise. */
export const orderAnswer = parser(
  Type.Object({
    status: Type.Optional(Type.Number()),
    signedTransactions: Type.Optional(Type.Array(Jws, { maxItems: 1_000 })),
  }),
  'order',
);

export const statusAnswer = parser(
  Type.Object({
    environment: Type.Optional(Word),
    bundleId: Type.Optional(Word),
    data: Type.Array(
      Type.Object({
        lastTransactions: Type.Array(
          Type.Object({
            originalTransactionId: Id,
            status: Type.Optional(Type.Number()),
            signedTransactionInfo: Jws,
            signedRenewalInfo: Type.Optional(Jws),
          }),
          { maxItems: 500 },
        ),
      }),
      { maxItems: 200 },
    ),
  }),
  'subscription statuses',
);

export const transactionHistoryAnswer = parser(
  Type.Object({
    hasMore: Type.Optional(Type.Boolean()),
    revision: Type.Optional(Type.String({ maxLength: 4_096 })),
    signedTransactions: Type.Optional(Type.Array(Jws, { maxItems: 1_000 })),
  }),
  'transaction history',
);

export const historyAnswer = parser(
  Type.Object({
    hasMore: Type.Optional(Type.Boolean()),
    paginationToken: Type.Optional(Type.String({ maxLength: 4_096 })),
    notificationHistory: Type.Optional(
      Type.Array(Type.Object({ signedPayload: Jws }), { maxItems: 1_000 }),
    ),
  }),
  'notification history',
);

export const testNotificationAnswer = parser(
  Type.Object({ testNotificationToken: Type.String({ minLength: 1, maxLength: 512 }) }),
  'test notification answer',
);

export const extensionAnswer = parser(
  Type.Object({
    success: Type.Optional(Type.Boolean()),
    effectiveDate: Type.Optional(Millis),
  }),
  'extension of a renewal date',
);

export const errorAnswer = parser(
  Type.Object({
    errorCode: Type.Optional(Type.Number()),
    errorMessage: Type.Optional(Type.String()),
  }),
  'error answer',
);
