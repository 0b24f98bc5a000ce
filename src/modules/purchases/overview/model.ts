import { type Static, Type } from '@sinclair/typebox';
import { REAL_PURCHASES, STORE_ENVIRONMENTS } from '../../../shared/environment.ts';
import { STORES } from '../../../shared/stores.ts';
import { DateTime, Day, Nullable, OneOf, QueryInteger, WindowDay } from '../../../shared/schema.ts';
import { CurrencyParameter } from '../../sales/index.ts';
import { RefundCounts } from '../model/refunds.ts';
import { DURATION_NAMES } from './period-length.ts';
import { NO_PROCEEDS } from './terms.ts';

export const DEFAULT_DAYS = 30;
export const DAYS_MAX = 400;

export const StoreEnvironmentParameter = Type.Optional(
  OneOf(STORE_ENVIRONMENTS, {
    description: "The store's environment; nobody pays in the sandbox.",
    whenLeftOut: REAL_PURCHASES,
  }),
);
export const StoreParameter = Type.Optional(
  OneOf(STORES, { description: 'Only purchases of this store.' }),
);

export const OverviewQuery = Type.Object({
  from: Type.Optional(WindowDay),
  to: Type.Optional(WindowDay),
  days: Type.Optional(QueryInteger(1, DAYS_MAX, { whenLeftOut: DEFAULT_DAYS })),
  currency: CurrencyParameter,
  environment: StoreEnvironmentParameter,
  store: StoreParameter,
});
export type OverviewInput = Static<typeof OverviewQuery>;

const Count = Type.Integer();
const Minor = Type.Integer({ description: 'Minor units of the currency.' });
const Rate = Nullable(Type.Number({ description: 'Null under fifty.' }));

const LEVELS = {
  active: Type.Integer({
    description:
      'Paid subscriptions: in a paid period or in the grace period of one; neither trials nor free offers.',
  }),
  mrrMinor: Type.Integer({
    description: "Each active one's customer price for a month, before commission and tax.",
  }),
  grace: Type.Integer({
    description: 'Of the paid ones and the trials, those in the grace period.',
  }),
  trials: Count,
  freeOffers: Count,
  billingRetry: Type.Integer({ description: 'Not active: the store retries the payment.' }),
};

const Counts = {
  start: Count,
  new: Type.Integer({ description: 'Paid for the first time.' }),
  returned: Type.Integer({ description: 'Paid again after the end, billing retry included.' }),
  churned: Type.Integer({ description: 'Ended: by expiry, end of grace or refund.' }),
  end: Count,
};

const MovementCounts = Type.Object(
  {
    ...Counts,
    recovered: Type.Integer({ description: 'Paid within the grace period: no movement.' }),
    expanded: Type.Integer({
      description: 'Whose price for a month grew: no movement of the count.',
    }),
    contracted: Type.Integer({
      description: 'Whose price for a month shrank: no movement of the count.',
    }),
  },
  { description: 'start + new + returned − churned = end.' },
);

const MovementMrr = Type.Object(
  {
    start: Minor,
    new: Minor,
    returned: Minor,
    expansion: Minor,
    contraction: Minor,
    churned: Minor,
    exchange: Type.Integer({
      description:
        'What exchange rates changed at renewals, of either sign: no movement of the subscription.',
    }),
    end: Minor,
  },
  { description: 'start + new + returned + expansion − contraction − churned + exchange = end.' },
);

const SWITCHED = { switchedIn: Count, switchedOut: Count };
const SWITCHED_MRR = { switchedIn: Minor, switchedOut: Minor };

const PART = {
  ...LEVELS,
  subscriptions: Type.Object({ ...MovementCounts.properties, ...SWITCHED }),
  mrr: Type.Object({ ...MovementMrr.properties, ...SWITCHED_MRR }),
};

const TrialCohort = Type.Object({
  day: Day,
  started: Count,
  converted: Type.Integer({ description: 'The next period was paid and not refunded.' }),
  pending: Type.Integer({ description: 'Renewing and not over.' }),
  abandoned: Type.Integer({ description: 'Auto-renew off, or ended.' }),
});

const Reported = Type.Object(
  {
    day: Type.String({ description: 'The newest reported Pacific day that was over by `asOf`.' }),
    paid: Type.Integer({ description: 'Paid subscriptions of the app by that report.' }),
    active: Type.Integer({ description: 'Paid ones by transactions at the end of that day.' }),
    known: Type.Integer({
      description:
        'Those of `active` that somebody holds: a user, an anonymous id, an account token.',
    }),
    share: Nullable(
      Type.Number({ description: '`known` ÷ `paid`, at most 1; null under fifty.', maximum: 1 }),
    ),
  },
  {
    description:
      'How many of the subscribers that the store reports are known by name; null in the sandbox and without a report of the last five weeks.',
  },
);

const REFUND_RATE = {
  paid: Type.Integer({ description: 'Paid transactions bought in the window.' }),
  refunded: Type.Integer({ description: 'Those of them refunded since: the past changes.' }),
  refundRate: Rate,
};
const RefundRate = Type.Object(REFUND_RATE);

const Refunds = Type.Object({ count: Count, amountMinor: Minor });

const DayOverview = Type.Object({
  day: Day,
  isComplete: Type.Boolean({ description: 'False for the day that is not over.' }),
  ...LEVELS,
  subscriptions: MovementCounts,
  mrr: MovementMrr,
  refunds: Refunds,
});

const Churn = Type.Object({
  duration: OneOf(DURATION_NAMES),
  activeAtStart: Count,
  churned: Count,
  voluntary: Count,
  billing: Count,
  refund: Count,
  other: Count,
  returned: Type.Integer({ description: 'By the duration that they had left.' }),
  rate: Rate,
  voluntaryRate: Rate,
  billingRate: Rate,
  netRate: Nullable(Type.Number({ description: 'Without those that returned; null under fifty.' })),
});

export const PurchasesOverview = Type.Object(
  {
    appId: Type.String(),
    from: Day,
    to: Day,
    days: Type.Integer({ description: 'Days of UTC, `from` and `to` included.' }),
    asOf: Type.String({ format: 'date-time', description: 'The end of the window, or now.' }),
    currency: Type.String(),
    environment: OneOf(STORE_ENVIRONMENTS),
    source: OneOf(['transactions', 'reports'], {
      description:
        '`transactions`: what the store signed, live and by person; `reports`: its daily report.',
    }),
    reported: Nullable(Reported),
    ...LEVELS,
    mrrProceedsMinor: Nullable(
      Type.Integer({
        description:
          'MRR by what the store pays out: each active one’s × (proceeds ÷ customer price) of the same product, country and currency over the last 35 report days. Null where no report says it.',
      }),
    ),
    mrrProceedsMissing: Nullable(
      Type.Object(
        {
          reason: OneOf(NO_PROCEEDS, {
            description:
              '`not_in_reports`: no report has the product, country and currency of some of them; else no report has any, and why.',
          }),
          active: Type.Integer({ description: 'Active ones with MRR but without a share.' }),
          mrrMinor: Minor,
        },
        { description: 'What `mrrProceedsMinor` leaves out; null where it leaves out nothing.' },
      ),
    ),
    willNotRenew: Type.Integer({ description: 'Active ones whose auto-renew is off.' }),
    subscriptions: MovementCounts,
    mrr: MovementMrr,
    churn: Type.Array(Churn, {
      description:
        'Paid subscriptions that ended ÷ active at the start, by duration, never blended.',
    }),
    trialConversion: Type.Object({
      started: Type.Integer({ description: 'Of the days with nothing pending.' }),
      converted: Count,
      rate: Rate,
      cohorts: Type.Array(TrialCohort),
    }),
    refunds: Type.Object({
      byPurchaseDay: Type.Object(
        { ...REFUND_RATE, subscriptions: RefundRate, oneTime: RefundRate },
        { description: 'Of all that was paid, one-time purchases included, and of each apart.' },
      ),
      byRefundDay: Refunds,
      requests: {
        ...RefundCounts,
        description: 'What the store asked about refunds in the window, and what came of it.',
      },
    }),
    byDay: Type.Array(DayOverview),
    byProduct: Type.Array(Type.Object({ productId: Type.String(), ...PART })),
    byCountry: Type.Array(
      Type.Object({
        country: Type.String({ description: "The storefront's three letters, or `unknown`." }),
        ...PART,
      }),
    ),
    byStore: Type.Optional(
      Type.Array(Type.Object({ store: OneOf(STORES), ...PART }), {
        description: 'Where anything of these figures is of Google Play.',
      }),
    ),
    familyShared: Type.Integer({
      description: 'Shared by the family, apart from every other figure.',
    }),
    nonRenewing: Type.Object(
      { purchases: Refunds, refunds: Refunds },
      { description: 'What does not renew, apart from every other figure.' },
    ),
    unconverted: Type.Array(
      Type.Object({ currency: Type.String(), active: Count, transactions: Count }),
      { description: 'Counted, but in no amount: there is no rate for the day of purchase.' },
    ),
    withoutPrice: Type.Integer({ description: 'Active ones whose price the store did not sign.' }),
    historyPending: Type.Integer({
      description:
        'Subscriptions whose history was not read from the store yet: their first known renewal looks new.',
    }),
    computedAt: DateTime,
  },
  { title: 'PurchasesOverview' },
);
export type PurchasesOverview = Static<typeof PurchasesOverview>;
