import { Type } from '@sinclair/typebox';
import { parser } from '../../shared/schema.ts';

/** Google adds fields and values at any time, and leaves out false and 0. */
const Word = Type.String({ minLength: 1, maxLength: 256 });
const Token = Type.String({ minLength: 1, maxLength: 4_096 });
const Time = Type.String({ format: 'date-time' });
const MillisText = Type.String({ pattern: '^[0-9]{1,15}$' });

const Money = Type.Object({
  currencyCode: Type.Optional(Word),
  units: Type.Optional(Type.String({ pattern: '^-?[0-9]{1,12}$' })),
  nanos: Type.Optional(Type.Integer()),
});

const LineItem = Type.Object({
  productId: Word,
  expiryTime: Type.Optional(Time),
  latestSuccessfulOrderId: Type.Optional(Word),
  offerDetails: Type.Optional(
    Type.Object({ basePlanId: Type.Optional(Word), offerId: Type.Optional(Word) }),
  ),
  offerPhase: Type.Optional(
    Type.Object({
      freeTrial: Type.Optional(Type.Object({})),
      prorationPeriod: Type.Optional(Type.Object({ originalOfferPhaseType: Type.Optional(Word) })),
    }),
  ),
  autoRenewingPlan: Type.Optional(
    Type.Object({
      autoRenewEnabled: Type.Optional(Type.Boolean()),
      recurringPrice: Type.Optional(Money),
    }),
  ),
});

const AccountIds = Type.Object({
  obfuscatedExternalAccountId: Type.Optional(Word),
  obfuscatedExternalProfileId: Type.Optional(Word),
});
const WithoutMoney = Type.Object({
  renewalDeclined: Type.Optional(Type.Object({ pendingOrderId: Type.Optional(Word) })),
});

const Subscription = Type.Object({
  regionCode: Type.Optional(Word),
  startTime: Type.Optional(Time),
  subscriptionState: Word,
  acknowledgementState: Type.Optional(Word),
  linkedPurchaseToken: Type.Optional(Token),
  lineItems: Type.Array(LineItem, { minItems: 1, maxItems: 100 }),
  testPurchase: Type.Optional(Type.Object({})),
  externalAccountIdentifiers: Type.Optional(AccountIds),
  outOfAppPurchaseContext: Type.Optional(
    Type.Object({
      expiredPurchaseToken: Type.Optional(Token),
      expiredExternalAccountIdentifiers: Type.Optional(AccountIds),
    }),
  ),
  onHoldStateContext: Type.Optional(WithoutMoney),
  inGracePeriodStateContext: Type.Optional(WithoutMoney),
});

export const subscriptionAnswer = parser(Subscription, 'subscription of Google Play');
export type SubscriptionAnswer = ReturnType<typeof subscriptionAnswer.parse>;

const ProductLine = Type.Object({
  productId: Word,
  productOfferDetails: Type.Optional(
    Type.Object({
      offerId: Type.Optional(Word),
      quantity: Type.Optional(Type.Integer({ minimum: 0 })),
      consumptionState: Type.Optional(Word),
    }),
  ),
});

const Product = Type.Object({
  regionCode: Type.Optional(Word),
  orderId: Type.Optional(Word),
  purchaseCompletionTime: Type.Optional(Time),
  acknowledgementState: Type.Optional(Word),
  purchaseStateContext: Type.Object({ purchaseState: Word }),
  productLineItem: Type.Array(ProductLine, { minItems: 1, maxItems: 100 }),
  testPurchaseContext: Type.Optional(Type.Object({})),
  obfuscatedExternalAccountId: Type.Optional(Word),
  obfuscatedExternalProfileId: Type.Optional(Word),
});

export const productAnswer = parser(Product, 'one-time purchase of Google Play');
export type ProductAnswer = ReturnType<typeof productAnswer.parse>;

const OrderItem = Type.Object({
  productId: Word,
  total: Type.Optional(Money),
  listingPrice: Type.Optional(Money),
  subscriptionDetails: Type.Optional(
    Type.Object({
      basePlanId: Type.Optional(Word),
      offerId: Type.Optional(Word),
      servicePeriodStartTime: Type.Optional(Time),
      servicePeriodEndTime: Type.Optional(Time),
      offerPhaseDetails: Type.Optional(
        Type.Object({
          freeTrialDetails: Type.Optional(Type.Object({})),
          prorationPeriodDetails: Type.Optional(
            Type.Object({ originalOfferPhase: Type.Optional(Word) }),
          ),
        }),
      ),
    }),
  ),
});

const RefundDetails = Type.Optional(Type.Object({ total: Type.Optional(Money) }));

const Order = Type.Object({
  orderId: Word,
  purchaseToken: Type.Optional(Token),
  state: Type.Optional(Word),
  createTime: Type.Optional(Time),
  total: Type.Optional(Money),
  orderHistory: Type.Optional(
    Type.Object({
      processedEvent: Type.Optional(Type.Object({ eventTime: Type.Optional(Time) })),
      refundEvent: Type.Optional(Type.Object({ eventTime: Type.Optional(Time) })),
      partialRefundEvents: Type.Optional(
        Type.Array(
          Type.Object({
            createTime: Type.Optional(Time),
            processTime: Type.Optional(Time),
            state: Type.Optional(Word),
            refundDetails: RefundDetails,
          }),
          { maxItems: 1_000 },
        ),
      ),
    }),
  ),
  lineItems: Type.Array(OrderItem, { maxItems: 100 }),
});

export const orderAnswer = parser(Order, 'order of Google Play');
export type OrderAnswer = ReturnType<typeof orderAnswer.parse>;

export const ordersAnswer = parser(
  Type.Object({ orders: Type.Optional(Type.Array(Order, { maxItems: 1_000 })) }),
  'orders of Google Play',
);

const Billed = Type.Optional(Type.Object({ billingPeriodDuration: Type.Optional(Word) }));

export const plansAnswer = parser(
  Type.Object({
    basePlans: Type.Optional(
      Type.Array(
        Type.Object({
          basePlanId: Word,
          autoRenewingBasePlanType: Billed,
          installmentsBasePlanType: Billed,
          prepaidBasePlanType: Billed,
        }),
      ),
    ),
  }),
  'plans of Google Play',
);
export type PlansAnswer = ReturnType<typeof plansAnswer.parse>;

export const voidedAnswer = parser(
  Type.Object({
    voidedPurchases: Type.Optional(
      Type.Array(
        Type.Object({
          purchaseToken: Token,
          orderId: Word,
          voidedTimeMillis: MillisText,
          voidedQuantity: Type.Optional(Type.Integer({ minimum: 0 })),
        }),
        { maxItems: 1_000 },
      ),
    ),
    tokenPagination: Type.Optional(Type.Object({ nextPageToken: Type.Optional(Token) })),
  }),
  'voided purchases of Google Play',
);
export type VoidedAnswer = ReturnType<typeof voidedAnswer.parse>;

export const errorAnswer = parser(
  Type.Object({
    error: Type.Object({
      errors: Type.Optional(Type.Array(Type.Object({ reason: Type.Optional(Type.String()) }))),
      status: Type.Optional(Type.String()),
    }),
  }),
  'error of Google Play',
);
