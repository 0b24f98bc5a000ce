// Written by `bun scripts/api-client.ts` from the OpenAPI document; not to be edited.

/** Every code that an error of the service can have. */
export type ErrorCode =
  | 'invalid_input'
  | 'malformed_json'
  | 'no_active_organization'
  | 'confirmation_mismatch'
  | 'invalid_batch'
  | 'store_credentials_rejected'
  | 'invalid_transaction'
  | 'transaction_not_for_app'
  | 'not_signed_in'
  | 'invalid_api_key'
  | 'invalid_service_key'
  | 'invalid_signature'
  | 'permission_denied'
  | 'store_role_missing'
  | 'store_agreement_required'
  | 'origin_not_allowed'
  | 'not_found'
  | 'store_app_not_found'
  | 'store_not_connected'
  | 'not_available'
  | 'method_not_allowed'
  | 'app_already_imported'
  | 'slug_taken'
  | 'conflict'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'store_rate_limited'
  | 'internal'
  | 'provider_rejected'
  | 'store_unavailable'
  | 'store_not_configured'
  | 'provider_not_configured'
  | 'secret_storage_unavailable'
  | 'unavailable';

export type AcceptedBatch = { accepted: number };

export type AcceptedLogEntry = { accepted: true };

export type AcceptedWebhookDelivery = { accepted: true };

/** Where all of the money is: the cohorts and the rest add up to the revenue. */
export type AccountedRevenue = {
  /** Net revenue from the first cohort’s beginning until now: the sum of the rest. */
  totalMinor: number;
  /** Of the cohorts, those under fifty included. */
  cohortsMinor: number;
  /** Of people of earlier cohorts. */
  earlierMinor: number;
  /** Of people of later cohorts. */
  laterMinor: number;
  /** What people of the cohorts paid before their first trial. */
  beforeMinor: number;
  /** Of people without a trial or payment to begin by. */
  neverMinor: number;
  /** Purchases that nobody is known for: no user, account or device. */
  nobody: {
    purchases: number;
    netMinor: number;
    purchasesShare: number | null;
    netShare: number | null;
  };
};

export type AllClauses = { all: SegmentClause[] };

export type AllConditions = { all: (Condition | MemberCondition | AllWithin | AnyWithin)[] };

export type AllWithin = { all: (Condition | MemberCondition)[] };

export type Analytics = {
  window: { from: string; to: string; days: number; previousFrom: string; previousTo: string };
  currency: string;
  freshness: Freshness;
  googlePlay?: GooglePlayFigures;
  totals: Metrics;
  missing: MissingSales;
  previous: Metrics;
  previousMissing: MissingSales;
  /** Most days of the window before are known. Else say no change against it: the store had not been read, or nothing was sold yet */
  isComparable: boolean;
  yesterday: DayMetrics | null;
  series: DayMetrics[];
  seriesByApp: AppDayMetrics[];
  byApp: AppMetrics[];
  previousByApp: KeyedMetrics[];
  byCountry: KeyedMetrics[];
  byDevice: KeyedMetrics[];
  byKind: KeyedMetrics[];
  byProductType: KeyedMetrics[];
  products: ProductMetrics[];
  currencies: CurrencyProceeds[];
  unconverted: CurrencyProceeds[];
  /** What customers paid in currencies without a rate; not in `customerSpendMinor` */
  unconvertedSpend: CurrencySpend[];
  /** Days of the window with proceeds or customer spend without a rate */
  daysMissingRates: number;
  /** Where money has no rate because the rates end: when, and what to do */
  rates?: { through: string; notice: string };
};

export type Answer =
  | SeriesAnswer
  | FunnelAnswer
  | RetentionAnswer
  | MeasuresAnswer
  | LifecycleAnswer
  | PathsAnswer;

export type AnswerInvitationBody = {
  /** 1 to 64 characters (Unicode code points) */
  invitationId: string;
};

export type AnsweredStep = {
  /** People, each counted once. */
  people: number | null;
  rateFromPrevious: number | null;
  rateFromStart: number | null;
  /** Lower end of the Wilson 95 % interval. */
  rateFromPreviousLow: number | null;
  /** Upper end of the Wilson 95 % interval. */
  rateFromPreviousHigh: number | null;
  medianSecondsFromPrevious: number | null;
  medianSecondsFromStart: number | null;
  /** People of the step before who did not reach this one; 0 for step 1. */
  dropped: number | null;
  verdict: 'entry' | 'healthy' | 'leak' | 'biggest_leak' | null;
};

export type AnyClause = { any: SegmentClause[] };

export type AnyCondition = { any: (Condition | MemberCondition | AllWithin | AnyWithin)[] };

export type AnyVerifyPurchaseBody = VerifyPurchaseBody | VerifyPlayPurchaseBody;

export type AnyWithin = { any: (Condition | MemberCondition)[] };

export type App = {
  id: string;
  orgId: string;
  slug: string;
  displayName: string;
  region: 'us-east-1' | 'us-west-1' | 'eu-west-1';
  status: 'provisioning' | 'active' | 'paused' | 'error';
  source: 'built_here' | 'imported' | 'website';
  bundleId: string | null;
  storeAppId: string | null;
  iconUrl: string | null;
  store: {
    state:
      | 'not_submitted'
      | 'waiting_for_review'
      | 'in_review'
      | 'rejected'
      | 'pending_release'
      | 'live'
      | 'removed'
      | 'unknown';
    version: string | null;
    checkedAt: string | null;
  } | null;
  createdAt: string;
  backend: { projectRef: string; connected: boolean } | null;
};

export type AppDayMetrics = {
  /** Minor units */
  proceedsMinor: number;
  /** Minor units */
  customerSpendMinor: number;
  /** Minor units */
  unconvertedProceedsMinor: number;
  downloads: number;
  redownloads: number;
  updates: number;
  iapUnits: number;
  subscriptionUnits: number;
  trials: number;
  otherUnits: number;
  refunds: number;
  day: string;
  storeAppId: string;
};

export type AppMetrics = {
  /** Minor units */
  proceedsMinor: number;
  /** Minor units */
  customerSpendMinor: number;
  /** Minor units */
  unconvertedProceedsMinor: number;
  downloads: number;
  redownloads: number;
  updates: number;
  iapUnits: number;
  subscriptionUnits: number;
  trials: number;
  otherUnits: number;
  refunds: number;
  key: string;
  label: string;
  storeAppId: string;
  appId: string | null;
  name: string;
  bundleId: string;
  /** Proceeds of the app without a rate; not in `proceedsMinor` */
  unconverted: CurrencyProceeds[];
};

export type AppRetention = {
  /** Days for which events are kept; null for ever */
  eventDays: number | null;
  /** Days for which entries of the log are kept; null for ever */
  logDays: number | null;
  /** Days for which raw store notifications are kept; null for ever */
  notificationDays: number | null;
};

export type AppRetentionPatch = {
  /** Days for which events are kept; null for ever */
  eventDays?: number | null;
  /** Days for which entries of the log are kept; null for ever */
  logDays?: number | null;
  /** Days for which raw store notifications are kept; null for ever */
  notificationDays?: number | null;
  /** Needed where less is kept than before: what is older is deleted for good */
  deleteOlder?: boolean;
};

export type AppSettings = {
  /** IANA name of the zone whose hours, days, weeks (from Monday) and months event figures are cut by. The store's days are Pacific and are never cut anew. */
  timezone: string;
  /** Views of the console that an app's first page shows, in this order */
  pinnedViews: PinnedView[];
};

export type AppSettingsPatch = {
  /** IANA name of the zone whose hours, days, weeks (from Monday) and months event figures are cut by. The store's days are Pacific and are never cut anew. */
  timezone?: string;
  /** Views of the console that an app's first page shows, in this order */
  pinnedViews?: PinnedView[];
};

/** Exposed to this arm alone and not by hand, as in the report of the experiment; `is` false for everybody else. */
export type ArmClause = { experiment: string; arm: string; is?: boolean };

/** Arm less control. The interval is a confidence sequence: it holds however often one looks. */
export type ArmDifference = {
  armId: string;
  difference: number | null;
  low: number | null;
  high: number | null;
  /** The difference as a share of the control arm’s figure. */
  relative: number | null;
  verdict: 'better' | 'worse' | 'no_difference' | 'not_decided';
  /** About how many more people of both arms it takes until it is decided; null when it is, and when nobody can say. */
  morePeople: number | null;
};

export type AuditChange = {
  /** What kind of thing: `flags`, `webhooks`, `member`. */
  of: string;
  /** Its ids. */
  id: Record<string, unknown> | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

export type AuditEntry = {
  id: string;
  at: string;
  /** A member, an organization key, whoever runs the service, or somebody not signed in. */
  actorKind: 'user' | 'orgKey' | 'operator' | 'visitor';
  /** Of the account or the key. */
  actorId: string | null;
  /** The `operationId`, or the command of the operator. */
  operation: string;
  appId: string | null;
  /** Up to 50 rows, of a change only what changed, as the database names it. A secret is `(secret)`. Empty where an act changed nothing that is kept here, as a test delivery. */
  changes: AuditChange[];
  address: string | null;
  userAgent: string | null;
  requestId: string;
};

export type AuditPage = { entries: AuditEntry[]; nextCursor: string | null };

export type AuditSettings = {
  /** For so many days an entry is kept; 400 until somebody says otherwise. */
  keptDays: number;
};

export type BackChannelLogoutBody = { logout_token: string };

export type BatchContext = {
  platform?: 'ios' | 'android' | 'web' | 'macos' | 'other';
  /** 0 to 40 characters (Unicode code points) */
  appVersion?: string;
  /** 0 to 40 characters (Unicode code points) */
  osVersion?: string;
  /** 0 to 16 characters (Unicode code points) */
  locale?: string;
  /** 2 to 2 characters (Unicode code points) */
  country?: string;
};

export type BetweenCondition = {
  /** name, platform, appVersion, osVersion, locale, country, session, or prop:NAME for a property; first: before it for that of the person's first event; arm for the arm of an experiment. */
  field: string;
  op: 'between';
  from: number | string;
  to: number | string;
};

export type BreakdownBy = string | NumberRanges;

export type CancelInvitationBody = {
  /** An e-mail address; upper and lower case are the same */
  email: string;
};

export type ChangeAuditSettings = {
  /** For so many days an entry is kept; 400 until somebody says otherwise. */
  keptDays: number;
};

export type ChangeDigestSettings = {
  isOn: boolean;
  /** IANA name, such as Europe/Berlin. */
  timezone: string;
  hour: number;
};

export type ChangeMemberRoleBody = {
  /** 1 to 64 characters (Unicode code points) */
  memberId: string;
  /** What the member may do */
  role: 'owner' | 'admin' | 'member' | 'viewer';
};

export type ChangeMessageSettings = {
  /** Insights that ask to act, when they begin. */
  alerts: boolean;
  /** One line for each new subscription. */
  subscribers: boolean;
  /** One line for each refund. */
  refunds: boolean;
  /** One line for each renewal that the store could not charge. */
  billingProblems: boolean;
  quietHours: QuietHours | null;
  /** Watches of saved questions, when they go beyond. */
  watches?: boolean;
};

export type ChangeOrganizationSettings = {
  /** ISO 4217, in either case, of those with exchange rates. Money of figures is in it unless a question asks for another. */
  currency: string;
};

export type ChangePasswordBody = {
  /** 1 to 128 characters (Unicode code points) */
  currentPassword: string;
  /** 10 to 128 characters */
  newPassword: string;
};

export type ChangedPurchaseSettings = {
  /** What happens when another user presents the same transaction. */
  ownership: 'transfer' | 'keep' | 'share';
  sandboxAccess: 'anybody' | 'listed' | 'nobody';
  /** User ids, anonymous ids and account tokens that sandbox purchases entitle. */
  sandboxListed: string[];
  forwardUrl: string | null;
  /** Shown this once, when forwarding is switched on. */
  forwardSecret?: string;
};

export type CohortCell = {
  /** What the cohort paid until the end of the period, less what was given back until then. */
  netMinor: number | null;
  /** Minor units, with their fraction. */
  perPersonMinor: number | null;
  /** Minor units, with their fraction. */
  perPersonLow: number | null;
  /** Minor units, with their fraction. */
  perPersonHigh: number | null;
  /** People who paid until the end of the period. */
  payers: number;
  payingShare: number | null;
  payingShareLow: number | null;
  payingShareHigh: number | null;
  /** Minor units, with their fraction. */
  perPayerMinor: number | null;
  /** Minor units, with their fraction. */
  perPayerLow: number | null;
  /** Minor units, with their fraction. */
  perPayerHigh: number | null;
  subscriptions: {
    /** Paid for the first time until then. */
    begun: number;
    /** Those of them that are paid at its end. */
    active: number;
    share: number | null;
    shareLow: number | null;
    shareHigh: number | null;
  };
};

export type CohortGroup = {
  /** Null for all other values. */
  value: string | null;
  cohorts: RevenueCohort[];
  pooled: PooledCohorts;
};

export type Condition =
  | IsCondition
  | OneOfCondition
  | TextCondition
  | OrderCondition
  | BetweenCondition
  | SetCondition;

export type Conditions = AllConditions | AnyCondition;

export type ConfirmSecondFactorBody = {
  /** The six digits that the authenticator app shows now */
  code: string;
};

export type ConnectBackendBody = {
  /** A project that is recorded for the organization */
  existingProjectRef?: string;
};

export type ConnectGooglePlayAccountBody = {
  /** The Cloud Storage URI of the reports, as Play Console copies it under Download reports. */
  bucket: string;
  /** The JSON key file of a Google service account, as text. It is never returned. */
  serviceAccount: string;
};

export type ConnectPage = {
  /** A hosted page, for one use, to connect the platform on */
  accessUrl: string;
};

export type ConnectPlayStoreBody = {
  /** As in Play Console, such as `com.example.focus`. */
  packageName: string;
  /** The JSON key file of a Google service account, as text. It is never returned. */
  serviceAccount: string;
  /** The service account that the push subscription of the notifications signs with. Without it no notification is taken. */
  pushEmail?: string;
};

export type ConnectPurchaseKeyBody = {
  /** 8 to 100 characters (Unicode code points) */
  issuerId: string;
  /** 4 to 40 characters (Unicode code points) */
  keyId: string;
  /** The In-App Purchase key (`.p8`), PKCS#8 PEM. It is never returned. */
  privateKey: string;
};

export type ConnectStoreBody = {
  /** 8 to 100 characters (Unicode code points) */
  issuerId: string;
  /** 4 to 40 characters (Unicode code points) */
  keyId: string;
  /** 4 to 20 characters (Unicode code points) */
  vendorNumber: string;
  /** The .p8 file of the key, PKCS#8 PEM */
  privateKey: string;
  teamId?: string;
  teamType?: 'COMPANY_OR_ORGANIZATION' | 'INDIVIDUAL';
};

export type ConnectedBackend = { appId: string; projectRef: string; url: string; connected: true };

export type ConnectedStore = { connection: StoreConnection; discoveredApps: number };

export type CountryRevenue = {
  /** The storefront's three letters, or `unknown`. */
  country: string;
  /** Paid transactions bought in these days. */
  purchases: number;
  /** The customers' prices, before commission and tax, by the day of the purchase. */
  grossMinor: number;
  refunds: {
    /** Of what was bought in these days, since refunded: the past changes. */
    byPurchaseDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
    /** Given back in these days, whenever it was bought. */
    byRefundDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
  };
  /** `grossMinor` less `refunds.byRefundDay`. */
  netMinor: number;
  /** Of `netMinor` what the store pays out, where its reports of the last 35 days say the share of the product, country and currency; null where they say none. */
  proceedsMinor: number | null;
  /** The part of `netMinor` whose share no report says; not in `proceedsMinor`. */
  withoutShareMinor: number;
};

export type CreateOrganizationBody = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  /** 3 to 48 characters: a-z, 0-9 and hyphens */
  slug?: string;
};

export type CreatedOrganizationKey = {
  key: OrganizationKey;
  /** The whole key, shown once */
  secret: string;
};

export type CreatedPublishableKey = {
  key: PublishableKey;
  /** Shown this once. It can only write events for this app, or only read its flags. */
  secret: string;
};

export type CreatedWebhook = {
  webhook: Webhook;
  /** Signs every delivery (Standard Webhooks); shown this once. */
  secret: string;
};

export type CurrencyProceeds = { currency: string; proceedsMinor: number };

export type CurrencySpend = { currency: string; customerSpendMinor: number };

export type DayMetrics = {
  /** Minor units */
  proceedsMinor: number;
  /** Minor units */
  customerSpendMinor: number;
  /** Minor units */
  unconvertedProceedsMinor: number;
  downloads: number;
  redownloads: number;
  updates: number;
  iapUnits: number;
  subscriptionUnits: number;
  trials: number;
  otherUnits: number;
  refunds: number;
  day: string;
  covered: boolean;
};

export type DeletedApp = { deleted: true; id: string; displayName: string; note: string };

export type DeletedDemo = { deleted: true; id: string; name: string };

export type DeletedOrganization = { deleted: true; id: string; name: string; note: string };

export type Demo = {
  /** When `bun run demo` made the organization; null for every other one. */
  madeAt: string | null;
};

export type Dependency = { name: string; status: 'up' | 'down'; detail: string };

export type DescribePeople = { personIds: string[] };

export type DescribedPeople = {
  /** In the order of the request; null is not known. */
  people: {
    personId: string;
    firstEventAt: string | null;
    lastEventAt: string | null;
    /** From the last event that has one. */
    platform: string | null;
    /** From the last event that has one. */
    appVersion: string | null;
    /** From the last event that has one. */
    country: string | null;
    /** The product behind the state. */
    productId: string | null;
    /** The reason for the access, or for none. */
    state:
      | 'paid'
      | 'lifetime'
      | 'trial'
      | 'family_shared'
      | 'granted'
      | 'grace'
      | 'leeway'
      | 'sandbox'
      | 'billing_retry'
      | 'expired'
      | 'refunded'
      | 'grant_ended'
      | 'sandbox_not_allowed'
      | 'nothing_bought';
  }[];
};

export type DeviceOfferings = {
  /** The identifier of the offering to show to this person. */
  current: string | null;
  /** All of them, in order. */
  offerings: Offering[];
  /** Null where the default is shown. */
  chosenBy: { flag: string; variant: string; reason: string } | null;
};

/** At least once when no number is said; ever when no period is. */
export type DidClause = {
  did: SelectedEvents;
  atLeast?: number;
  atMost?: number;
  exactly?: number;
  /** So many times 24 hours before the moment that is asked about. */
  withinDays?: number;
  /** From the beginning of that day in the app's timezone. */
  since?: string;
  /** Before that day began. */
  before?: string;
};

export type DidNotClause = {
  didNot: SelectedEvents;
  /** So many times 24 hours before the moment that is asked about. */
  withinDays?: number;
  /** From the beginning of that day in the app's timezone. */
  since?: string;
  /** Before that day began. */
  before?: string;
};

export type DigestDestination = {
  id: string;
  kind: 'mail' | 'slack' | 'discord' | 'json';
  name: string;
  /** The mail address, or the host; never the secret path. */
  shownTarget: string;
  createdAt: string;
  /** Why nothing is sent there any more; make a new one. */
  goneReason: string | null;
};

export type DigestSettings = {
  isOn: boolean;
  /** IANA name, such as Europe/Berlin. */
  timezone: string;
  hour: number;
};

export type DigestTest = { delivered: boolean; error: string | null };

export type DoctorArrival = {
  /** `X-Forwarded-For` of this request. */
  forwardedFor: string | null;
  /** True for a request of `bun run doctor` whose cookie did not arrive. */
  lostCookie: boolean;
};

export type DoctorCheck = {
  name: string;
  question: string;
  /** `error` where something breaks; `skipped` where nothing is set up. */
  status: 'good' | 'warning' | 'error' | 'skipped';
  found: string | null;
  /** The remedy; null unless something is wrong. */
  cure: string | null;
};

export type DoctorReport = {
  /** True without an error. */
  ok: boolean;
  checkedAt: string;
  arrival: DoctorArrival | null;
  checks: DoctorCheck[];
};

export type Done = { status: true };

/** By a real purchase or a grant, to any product, to this one or by this name. */
export type EntitledClause = {
  entitled: boolean;
  /** 1 to 200 characters (Unicode code points), not only blanks */
  productId?: string;
  /** A named entitlement of the app. */
  entitlement?: string;
};

export type Entitlement = {
  entitled: boolean;
  status: 'active' | 'billing_grace' | 'billing_retry' | 'expired' | 'revoked' | 'none';
  productId: string | null;
  expiresAt: string | null;
  graceExpiresAt: string | null;
  /** Under a commitment: whether another one follows it. */
  willRenew: boolean;
  /** Of a subscription billed by month under a commitment: until when its customer is charged. `expiresAt` is when the month that is paid ends. */
  committedUntil?: string;
  /** Of a subscription billed by month under a commitment: which of how many periods runs. */
  commitmentPeriod?: { number: number; total: number };
  ownership: 'purchased' | 'family_shared' | null;
  originalTransactionId: string | null;
  /** Where it was bought; without a purchase, what was asked for. `Sandbox` is a purchase that nobody paid for. */
  environment?: 'Production' | 'Sandbox';
  checkedAt: string;
  /** Where the app has named entitlements: one for each name, in their order. */
  entitlements?: EntitlementOfName[];
};

export type EntitlementOfName = {
  name: string;
  status: 'active' | 'billing_grace' | 'billing_retry' | 'expired' | 'revoked' | 'none';
  productId: string | null;
  expiresAt: string | null;
  willRenew: boolean;
  /** Null for a grant, and without a purchase. */
  store: 'app_store' | 'google_play' | null;
  environment: 'Production' | 'Sandbox';
};

export type EraseAccountBody = {
  /** The address of the account, so that it is meant. */
  email: string;
  /** 1 to 128 characters (Unicode code points) */
  currentPassword?: string;
  /** Where it has a second factor. */
  code?: string;
};

/** platform, appVersion, osVersion, locale, country as events have them; anything else is read by `prop:NAME`. */
export type EvaluationContext = {
  /** Needed: the person, as `anonymousId` in events; percentages go by it. */
  targetingKey?: string;
};

export type EvaluationRequest = { context: EvaluationContext };

export type Event = {
  /** 8 to 64 characters (Unicode code points) */
  id?: string;
  name: string;
  ts?: string;
  /** 8 to 128 characters (Unicode code points) */
  anonymousId: string;
  /** 0 to 128 characters (Unicode code points) */
  userId?: string;
  /** 0 to 128 characters (Unicode code points) */
  sessionId?: string;
  props?: Record<string, string | number | boolean | null>;
};

export type EventBatch = { events: Event[]; context?: BatchContext };

export type EventProperties = {
  /** Events looked at: those received last, 100000 at most. */
  events: number;
  properties: {
    name: string;
    events: number;
    types: ('string' | 'number' | 'boolean' | 'null')[];
    values: { value: string; events: number }[];
  }[];
  dataThrough: string;
  /** Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted. */
  countedFrom?: number;
  /** What the question names and the app never sent (an event, a property, a value), with the nearest that it did send. */
  hint?: string;
};

/** Which events are meant. */
export type EventSelection = {
  /** Names, any of which; anything that clients send when left out. */
  events?: string[];
  where?: Conditions;
};

export type EventSeries = {
  window: {
    from: string;
    to: string;
    /** Where the last interval that is over ends: totals and changes end here. */
    finishedThrough: string;
    previousFrom: string | null;
  };
  interval: 'hour' | 'day' | 'week' | 'month';
  timezone: string;
  environment: 'production' | 'development' | 'all';
  computedAt: string;
  dataThrough: string;
  /** Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted. */
  countedFrom?: number;
  totals: {
    /** Distinct people of the intervals that are over. */
    people: number;
    events: number;
    previousPeople: number | null;
    previousEvents: number | null;
    /** Against the window before: 0.1 is ten percent more. Null without comparison and where fewer than fifty people were active before. */
    peopleChange: number | null;
    /** Against the window before: 0.1 is ten percent more. Null without comparison and where fewer than fifty people were active before. */
    eventsChange: number | null;
  };
  /** Of all series together. People are distinct, so neither intervals nor series add up to the totals. */
  points: {
    from: string;
    /** Distinct people of the interval. */
    people: number;
    events: number;
    previousPeople?: number;
    previousEvents?: number;
    /** The interval is not over; it is in no total and no change. */
    partial?: true;
  }[];
  series: {
    /** The name or value; `other` for all other values. */
    key: string;
    /** All other values: not the value of an event that says `other`. */
    rest?: true;
    totals: {
      /** Distinct people of the intervals that are over. */
      people: number;
      events: number;
      previousPeople: number | null;
      previousEvents: number | null;
      /** Against the window before: 0.1 is ten percent more. Null without comparison and where fewer than fifty people were active before. */
      peopleChange: number | null;
      /** Against the window before: 0.1 is ten percent more. Null without comparison and where fewer than fifty people were active before. */
      eventsChange: number | null;
    };
    points: {
      from: string;
      /** Distinct people of the interval. */
      people: number;
      events: number;
      previousPeople?: number;
      previousEvents?: number;
      /** The interval is not over; it is in no total and no change. */
      partial?: true;
    }[];
  }[];
  active?: {
    points: {
      from: string;
      /** Distinct people of the day. */
      dau: number;
      /** Of the day and the 6 before. */
      wau: number;
      /** Of the day and the 27 before. */
      mau: number;
      partial?: true;
    }[];
    /** DAU ÷ MAU of the day, the mean over the days that are over and have anybody; null where fewer than fifty people were active. */
    dauOverMau: number | null;
    /** DAU ÷ MAU of the day, the mean over the days that are over and have anybody; null where fewer than fifty people were active. */
    previousDauOverMau: number | null;
  };
  forecast?: Forecast;
  /** Why no change is given. */
  notice?: string;
  /** What the question names and the app never sent (an event, a property, a value), with the nearest that it did send. */
  hint?: string;
};

export type EventSummary = {
  /** `days` times 24 hours back from now, in every zone. */
  window: { from: string; to: string };
  people: number;
  events: number;
  firstEventAt: string | null;
  lastEventAt: string | null;
  /** Most events first; at most 500. */
  names: { name: string; events: number; people: number; standard: boolean }[];
  platforms: { platform: 'ios' | 'android' | 'web' | 'macos' | 'other'; people: number }[];
  versions: {
    /** `unknown` where the client did not say. */
    appVersion: string;
    people: number;
  }[];
};

export type Experiment = {
  id: string;
  appId: string;
  name: string;
  status: 'draft' | 'running' | 'stopped';
  arms: ExperimentArm[];
  layer: ExperimentLayer | null;
  createdAt: string;
  startedAt: string | null;
  stoppedAt: string | null;
  measurement: ExperimentMeasurement;
  shipped: ShippedArm | null;
};

export type ExperimentAnswer = {
  verdict: 'ahead' | 'not_decided' | 'no_difference';
  reason:
    | 'too_few_days'
    | 'too_few_people'
    | 'split_is_broken'
    | 'interval_too_wide'
    | 'metrics_disagree'
    | null;
  /** The arm that is ahead. */
  armId: string | null;
  /** With `no_difference`: no difference is larger than this share of the control arm’s figure. */
  largest: number | null;
  morePeople: number | null;
  moreDays: number | null;
  /** Names, of the arm ahead. */
  worseGuardrails: string[];
  text: string;
};

export type ExperimentArm = {
  id: string;
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  /** Share of people in proportion to the sum of all weights. */
  weight: number;
  /** Of every arm, or of none: then rules of flags give the arms their values. */
  onboardingId?: string;
};

export type ExperimentArmFigures = {
  id: string;
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  /** Share of people in proportion to the sum of all weights. */
  weight: number;
  /** Of every arm, or of none: then rules of flags give the arms their values. */
  onboardingId?: string;
  /** Exposed to this arm and no other. */
  people: number;
  verdict: 'ready' | 'too_few_people' | 'no_data';
  /** Went through the funnel; its last step came after the exposure. */
  converted: number | null;
  rate: number | null;
  rateLow: number | null;
  rateHigh: number | null;
};

export type ExperimentAssignment = {
  onboarding: { id: string; name: string; config: unknown } | null;
  arm: { experimentId: string; experimentName: string; armId: string; armName: string } | null;
};

export type ExperimentChange = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name?: string;
  status?: 'running' | 'stopped';
  arms?: {
    id?: string;
    /** 1 to 80 characters (Unicode code points), not only blanks */
    name: string;
    /** Share of people in proportion to the sum of all weights. */
    weight: number;
    /** Of every arm, or of none: then rules of flags give the arms their values. */
    onboardingId?: string;
  }[];
  layer?: ExperimentLayer | null;
  /** What the report measures; fixed once the experiment has run. */
  measurement?: {
    /** How long after the exposure what a person does counts. */
    windowHours?: number;
    /** A difference smaller than this share of the control arm’s figure does not matter: 0.1 is a tenth more or less. */
    margin?: number;
    /** What a person paid counts up to this percentile of those who paid, of all arms together. A lower one decides sooner, and says less of the largest payers. */
    capPercentile?: 99.9 | 99 | 95;
    metrics?: {
      /** 1 to 80 characters (Unicode code points), not only blanks */
      name: string;
      /** `event`: the share of people who did it. `trial`: the share who started a free trial. `revenue`: what a person paid, net of refunds, capped at `capPercentile`. */
      kind: 'event' | 'trial' | 'revenue';
      event?: string;
      where?: FunnelWhere;
      /** Deciding metrics share the 5 % of false winners; a guardrail only warns when it gets worse. */
      role?: 'deciding' | 'guardrail';
      better?: 'higher' | 'lower';
    }[];
  };
};

/** Nobody is in two experiments of a layer; each takes a part of its people, which is nobody else’s while it runs. */
export type ExperimentLayer = {
  name: string;
  /** In hundredths. */
  fromPercent: number;
  /** In hundredths. */
  toPercent: number;
};

export type ExperimentMeasurement = {
  /** How long after the exposure what a person does counts. */
  windowHours: number;
  /** A difference smaller than this share of the control arm’s figure does not matter: 0.1 is a tenth more or less. */
  margin: number;
  /** What a person paid counts up to this percentile of those who paid, of all arms together. A lower one decides sooner, and says less of the largest payers. */
  capPercentile: 99.9 | 99 | 95;
  metrics: ExperimentMetric[];
  /** The default funnel as it was at the start; null before, and without one. */
  funnel: { id: string; steps: FunnelStep[] } | null;
};

export type ExperimentMetric = {
  id: string;
  name: string;
  /** `event`: the share of people who did it. `trial`: the share who started a free trial. `revenue`: what a person paid, net of refunds, capped at `capPercentile`. */
  kind: 'event' | 'trial' | 'revenue';
  event: string | null;
  where: FunnelWhere | null;
  /** Deciding metrics share the 5 % of false winners; a guardrail only warns when it gets worse. */
  role: 'deciding' | 'guardrail';
  better: 'higher' | 'lower';
};

export type ExperimentOverride = {
  /** The device, as it names itself in events. */
  anonymousId: string;
  armId: string;
  createdAt: string;
};

export type ExperimentReport = {
  experimentId: string;
  appId: string;
  name: string;
  status: 'draft' | 'running' | 'stopped';
  funnelId: string | null;
  window: { from: string; to: string };
  conversionWindowHours: number;
  people: number;
  /** Saw two arms; counted in none. */
  mixedPeople: number;
  minimumPeople: 50;
  sampleRatio: {
    pValue: number | null;
    verdict: 'too_few_people' | 'as_expected' | 'do_not_trust';
  };
  arms: ExperimentArmFigures[];
  /** Nobody who was exposed did step 1 of the funnel, so no arm has a rate: check that the app sends its first step, and which funnel is the default. */
  notice?: 'nobody_entered_the_funnel';
  answer?: ExperimentAnswer;
  measured?: MeasuredReport;
  computedAt: string;
  dataThrough: string;
};

export type ExperimentSize = {
  /** More than today’s rate: 0.2 is a fifth more. */
  lift: number;
  /** Of all arms together. */
  people: number | null;
  days: number | null;
  text: string;
};

/** How many people and days it takes to see +10, +20 and +50 % at today’s rate and traffic. */
export type ExperimentSizes = {
  experimentId: string;
  funnelId: string | null;
  /** The days that rate and traffic are taken from. */
  lookedAtDays: number;
  /** Entered the funnel in those days. */
  people: number;
  converted: number;
  /** Null under fifty people. */
  rate: number | null;
  /** Since the first event within the last 28 days, or the chosen days. */
  peopleADay: number;
  /** At today’s pace, until fifty people have entered; null where there is a rate. */
  daysUntilRate: number | null;
  power: 0.8;
  sizes: ExperimentSize[];
};

export type ExtendRenewalBody = {
  /** 1 to 64 characters (Unicode code points) */
  originalTransactionId: string;
  /** The store's environment. */
  environment?: 'Production' | 'Sandbox';
  days: number;
  /** What the store is told. */
  reason: 'undeclared' | 'satisfaction' | 'outage' | 'other';
  /** Yours, one for each extension: a request with it twice extends once. */
  requestIdentifier: string;
};

export type FigureOfAnswer =
  | {
      of: 'point';
      series?: number;
      /** The `from` of a point. */
      point: string;
    }
  | {
      of: 'step';
      /** From 1. */
      step: number;
      /** Those lost between the step before and this one. */
      dropped?: boolean;
    }
  | {
      of: 'cohort';
      /** The place of the cohort, from 0. */
      cohortIndex: number;
      /** 0, the default, is the cohort itself. */
      period?: number;
    }
  | {
      of: 'state';
      /** The `from` of a point. */
      point: string;
      state: 'new' | 'returning' | 'resurrected' | 'dormant';
    };

export type FirstAccount = {
  needed: boolean;
  /** Whether `firstAccountCode` is needed: not for a request from the machine itself */
  codeNeeded: boolean;
};

/** When the first event of clients was. */
export type FirstSeenClause = { firstSeen: FirstSeenPeriod };

export type FirstSeenPeriod = {
  /** Before that day began. */
  before?: string;
  /** On that day or later. */
  after?: string;
  /** So many times 24 hours before the moment that is asked about. */
  withinDays?: number;
};

export type Flag = {
  id: string;
  appId: string;
  /** What apps ask for; never changes. */
  key: string;
  /** Of all its values; json is an object. Never changes. */
  type: 'boolean' | 'string' | 'number' | 'json';
  /** Off: everybody gets the off variant, whatever the rules. */
  isOn: boolean;
  /** 0 to 500 characters (Unicode code points) */
  description: string;
  variants: {
    name: string;
    /** Of the flag’s type; at most 16 KB as JSON. */
    value: unknown;
  }[];
  /** Where no rule applies. */
  defaultVariant: string;
  /** While the flag is off. */
  offVariant: string;
  rules: FlagRule[];
  version: number;
  /** Some seconds late. */
  asks: {
    /** Asked for by its key. */
    lastAt: string | null;
    /** The key that asked last. */
    lastKeyId: string | null;
    /** In the last 30 days. */
    times: number;
    /** The last answer with all flags of the app: it does not say which one is used. */
    inBulkAt: string | null;
  };
  createdAt: string;
  updatedAt: string;
};

export type FlagChange = {
  /** Off: everybody gets the off variant, whatever the rules. */
  isOn?: boolean;
  /** 0 to 500 characters (Unicode code points) */
  description?: string;
  variants?: {
    name: string;
    /** Of the flag’s type; at most 16 KB as JSON. */
    value: unknown;
  }[];
  /** Where no rule applies. */
  defaultVariant?: string;
  /** While the flag is off. */
  offVariant?: string;
  rules?: {
    /** Given by the service; who gets what by percent and split follows from it. */
    id?: string;
    where?: Conditions;
    /** Of the people, in hundredths; the same people while the rule is there. */
    percent?: number;
    /** Served to all whom the rule is for. */
    variant?: string;
    /** In place of variant: people in proportion to the weights. */
    split?: { variant: string; weight: number }[];
    /** Goes with variations: while it runs, people get the variant of their arm, and after an arm was shipped all get that one’s. Otherwise the rule applies to nobody. */
    experiment?: string;
    /** In place of variant: by the id of each arm of the experiment, a variant. */
    variations?: Record<string, string>;
  }[];
  /** 1 to 500 characters (Unicode code points), not only blanks */
  why?: string;
  /** The version that the change is made to; another one is a conflict. */
  version?: number;
};

export type FlagEvaluation = {
  key: string;
  value: unknown;
  /** STATIC: the flag is off or has no rules. TARGETING_MATCH, SPLIT: a rule applied. UNKNOWN: none did. */
  reason: 'STATIC' | 'TARGETING_MATCH' | 'SPLIT' | 'UNKNOWN';
  variant: string;
  /** `experiment` and `arm`, where a running experiment decides. */
  metadata?: Record<string, string | number | boolean>;
};

export type FlagEvaluations = {
  /** All flags of the app, by their keys. */
  flags: FlagEvaluation[];
};

export type FlagRule = {
  /** Given by the service; who gets what by percent and split follows from it. */
  id: string;
  where?: Conditions;
  /** Of the people, in hundredths; the same people while the rule is there. */
  percent?: number;
  /** Served to all whom the rule is for. */
  variant?: string;
  /** In place of variant: people in proportion to the weights. */
  split?: { variant: string; weight: number }[];
  /** Goes with variations: while it runs, people get the variant of their arm, and after an arm was shipped all get that one’s. Otherwise the rule applies to nobody. */
  experiment?: string;
  /** In place of variant: by the id of each arm of the experiment, a variant. */
  variations?: Record<string, string>;
};

export type FlagVersion = {
  version: number;
  act: 'created' | 'changed' | 'restored';
  at: string;
  by: { kind: 'user' | 'orgKey'; id: string };
  why: string | null;
  /** Off: everybody gets the off variant, whatever the rules. */
  isOn: boolean;
  /** 0 to 500 characters (Unicode code points) */
  description: string;
  variants: {
    name: string;
    /** Of the flag’s type; at most 16 KB as JSON. */
    value: unknown;
  }[];
  /** Where no rule applies. */
  defaultVariant: string;
  /** While the flag is off. */
  offVariant: string;
  rules: FlagRule[];
};

/** Where fewer than fifty people came: how many did, and when a rate comes. */
export type Forecast = {
  people: number;
  missingPeople: number;
  /** New people a day, since the first event in the window. */
  peoplePerDay: number;
  /** When there will be fifty at this pace, in a window that ends then. */
  expectedAt: string | null;
  /** How long a window takes to have fifty people. */
  windowDays: number | null;
  /** The same in a sentence. */
  text: string;
};

export type FoundPeople = {
  /** By id, 50 at most. */
  people: {
    personId: string;
    /** By id, ten at most. */
    anonymousIds: string[];
    events: number;
    firstEventAt: string;
    lastEventAt: string;
    /** From the last event that has one. */
    platform: string | null;
    /** From the last event that has one. */
    appVersion: string | null;
    /** From the last event that has one. */
    country: string | null;
  }[];
  /** More people fit; say more of the id. */
  hasMore: boolean;
};

export type Freshness = {
  yesterday: string;
  today: string;
  todayExpectedBy: string;
  publishExpectedBy: string;
  state: 'ready' | 'awaiting' | 'no_sales' | 'error' | 'unchecked';
  checkedAt: string | null;
  lastRunAt: string | null;
  lastError: string | null;
  coveredFrom: string | null;
  coveredThrough: string | null;
  daysBehind: number | null;
  gaps: number;
};

export type Funnel = {
  id: string;
  appId: string;
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  steps: FunnelStep[];
  isDefault: boolean;
  /** In the answer that makes or changes a funnel: which steps name what the app never sent, and the nearest that it did send. */
  hint?: string;
  createdAt: string;
  updatedAt: string;
};

export type FunnelAnswer = {
  kind: 'funnel';
  window: { from: string; to: string; days: number };
  conversionWindowHours: number;
  timezone: string;
  environment: 'production' | 'development' | 'all';
  computedAt: string;
  dataThrough: string;
  /** Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted. */
  countedFrom?: number;
  /** People, each counted once. */
  people: number;
  /** Fewer than 50 people in step 1: no figure is drawn. */
  verdict: 'ready' | 'too_few_people' | 'no_data';
  /** In the order of the question. */
  steps: AnsweredStep[];
  overall: FunnelFigures;
  /** Where the ranges of the breakdown begin. */
  bounds?: number[];
  /** Entrants whose time to convert is over. */
  maturePeople: number;
  minimumPeople: 50;
  breakdown:
    | {
        /** Null for all other values. */
        value: string | null;
        /** People, each counted once. */
        people: number;
        /** Fewer than 50 people in step 1: no figure is drawn. */
        verdict: 'ready' | 'too_few_people' | 'no_data';
        /** In the order of the question. */
        steps: AnsweredStep[];
        overall: FunnelFigures;
      }[]
    | null;
  trend?: {
    from: string;
    /** People, each counted once. */
    people: number;
    /** Fewer than 50 people in step 1: no figure is drawn. */
    verdict: 'ready' | 'too_few_people' | 'no_data';
    rate: number | null;
    rateLow: number | null;
    rateHigh: number | null;
    /** The window cuts the interval, or it is not over yet. */
    partial?: boolean;
  }[];
  /** Of those who finished; null of fewer than 50. */
  distribution?: { fromSeconds: number; toSeconds: number; people: number }[] | null;
  segments?: {
    segment: string;
    is: boolean;
    /** People, each counted once. */
    people: number;
    /** Fewer than 50 people in step 1: no figure is drawn. */
    verdict: 'ready' | 'too_few_people' | 'no_data';
    /** In the order of the question. */
    steps: AnsweredStep[];
    overall: FunnelFigures;
  }[];
};

export type FunnelChange = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name?: string;
  steps?: FunnelStep[];
  isDefault?: boolean;
};

export type FunnelComparison = {
  window: { from: string; to: string };
  /** In step 1 of the window before. */
  people: number;
  /** Of the window before. */
  verdict: 'ready' | 'too_few_people' | 'no_data';
  /** Null where either window has fewer than fifty people in step 1. */
  steps: {
    index: number;
    /** In the window before. */
    people: number | null;
    fromPrevious: {
      now: number | null;
      before: number | null;
      /** now less before; null where fewer than fifty people came as far as the step before, in either window. */
      difference: number | null;
      /** Lower end of the 95 % interval of the difference (Newcombe). */
      low: number | null;
      high: number | null;
    } | null;
    fromStart: {
      now: number | null;
      before: number | null;
      /** now less before; null where fewer than fifty people came as far as the step before, in either window. */
      difference: number | null;
      /** Lower end of the 95 % interval of the difference (Newcombe). */
      low: number | null;
      high: number | null;
    } | null;
  }[];
  /** Why nothing is compared. */
  notice?: string;
};

export type FunnelFigures = {
  rate: number | null;
  rateLow: number | null;
  rateHigh: number | null;
  medianSeconds: number | null;
};

export type FunnelPeoplePage = {
  people: { personId: string; reachedAt: string }[];
  nextCursor: string | null;
};

/** `where` is at the entry: it holds for the step-1 event of the path that is counted. */
export type FunnelQuestion = {
  kind: 'funnel';
  steps: EventSelection[];
  where?: Conditions;
  /** The value on the step-1 event; arm: of the experiment that runs, or ran last. */
  breakdown?: 'arm' | string | NumberRanges;
  /** Of one: who is in it and who is not; of several: who is in each. Without a breakdown. */
  segments?: string[];
  /** Time to convert, from step 1. The app's setting when left out. */
  windowHours?: number;
  /** What must not happen between two steps; it ends the path, and what was reached stays. */
  exclusions?: {
    selection: EventSelection;
    /** The step before, from 1. */
    after: number;
    /** The step after, from 1. */
    before: number;
  }[];
  /** strict: nothing else that clients send happens between two steps. any: step k is reached by whoever did k of the steps, in whatever order. */
  order?: 'in_order' | 'strict' | 'any';
  /** Adds the times from the first to the last step. */
  distribution?: boolean;
  /** new: only people without an event before the window, so that who has been there for long does not count as lost at a step that is done once. */
  people?: 'all' | 'new';
  /** Adds the trend. */
  interval?: 'day' | 'week';
  /** Before today, or before now for funnels. Not together with from and to. */
  days?: number;
  /** A date such as 2026-11-21 or an ISO 8601 date-time with an offset. */
  from?: string;
  /** A date is included, a date-time is not. */
  to?: string;
  /** IANA name; the app's timezone when left out. */
  timezone?: string;
  environment?: 'production' | 'development' | 'all';
};

export type FunnelReport = {
  funnelId: string;
  appId: string;
  name: string;
  window: { from: string; to: string; days: number };
  conversionWindowHours: number;
  timezone: string;
  filters: {
    platform: string | null;
    appVersion: string | null;
    country: string | null;
    property?: FunnelWhere;
    people?: 'new';
  };
  environment?: 'production' | 'development' | 'all';
  /** People, each counted once. */
  people: number;
  /** Entrants whose time to convert is over. */
  maturePeople: number;
  minimumPeople: 50;
  /** Fewer than 50 people in step 1: no figure is drawn. */
  verdict: 'ready' | 'too_few_people' | 'no_data';
  computedAt: string;
  dataThrough: string;
  forecast?: Forecast;
  /** What the report names and the app never sent: of steps without people, of the filter and the breakdown by a property; with the nearest that it did send. */
  hint?: string;
  steps: FunnelStepFigures[];
  overall: FunnelFigures;
  comparison?: FunnelComparison;
  breakdown: {
    by: string;
    values: {
      value: string;
      /** All other values, under the name `other`. */
      rest?: true;
      /** People, each counted once. */
      people: number;
      /** Fewer than 50 people in step 1: no figure is drawn. */
      verdict: 'ready' | 'too_few_people' | 'no_data';
      steps: FunnelStepFigures[];
      overall: FunnelFigures;
    }[];
  } | null;
  trend?: {
    from: string;
    /** People, each counted once. */
    people: number;
    /** Fewer than 50 people in step 1: no figure is drawn. */
    verdict: 'ready' | 'too_few_people' | 'no_data';
    rate: number | null;
    rateLow: number | null;
    rateHigh: number | null;
    /** The window cuts the interval, or it is not over yet. */
    partial?: boolean;
  }[];
};

export type FunnelStep = {
  event: string;
  /** 1 to 60 characters (Unicode code points), not only blanks */
  label: string;
  where?: FunnelWhere;
};

export type FunnelStepFigures = {
  index: number;
  event: string;
  label: string;
  where: FunnelWhere | null;
  /** People, each counted once. */
  people: number | null;
  rateFromPrevious: number | null;
  rateFromStart: number | null;
  /** Lower end of the Wilson 95 % interval. */
  rateFromPreviousLow: number | null;
  /** Upper end of the Wilson 95 % interval. */
  rateFromPreviousHigh: number | null;
  medianSecondsFromPrevious: number | null;
  medianSecondsFromStart: number | null;
  /** People of the step before who did not reach this one; 0 for step 1. */
  dropped: number | null;
  verdict: 'entry' | 'healthy' | 'leak' | 'biggest_leak' | null;
};

export type FunnelWhere = {
  /** Name of a property of the event. */
  prop: string;
  /** What the property must be: a string by its characters, a number by its shortest decimal form, a boolean as true or false. */
  equals: string;
};

export type GivenBackMoney = {
  count: number;
  /** Minor units of the currency. */
  amountMinor: number;
};

/** The private key is never returned. */
export type GooglePlayAccount = {
  bucket: string;
  /** The service account, to be invited in Play Console under Users and permissions. */
  clientEmail: string;
  privateKeyId: string;
  status: 'connected' | 'invalid';
  connectedAt: string;
  lastVerifiedAt: string;
  /** What Google refused, and what to do. */
  lastError: string | null;
  nextReadAt: string;
};

/** How far the reports of Google Play go; missing in answers without it */
export type GooglePlayFigures = {
  timeZone: 'UTC';
  /** YYYY-MM, Pacific. Proceeds of months up to this one are those that Google pays out. Those of younger months are estimated: the price before tax less the fee, 15 % of subscriptions and of the first million dollars, else 30 %. */
  earningsThrough: string | null;
  /** Last day with installs; `downloads` are daily user installs. */
  installsThrough: string | null;
};

export type Health = { ok: boolean; service: string };

export type ImportAppBody = {
  /** 1 to 40 characters (Unicode code points) */
  storeAppId: string;
};

export type Ingestion = {
  /** Hours of receipt (UTC) in which anything came, oldest first. */
  hours: {
    hour: string;
    accepted: number;
    duplicates: number;
    timeCorrected: number;
    /** Rejected batches. */
    rejected: number;
  }[];
  /** By reason, the last one first. */
  rejected: { reason: string; batches: number; lastAt: string; lastExample: string | null }[];
  /** Values that name nobody, such as "undefined": their events are stored. */
  ignoredIds: {
    field: 'userId' | 'anonymousId';
    events: number;
    lastAt: string;
    lastExample: string | null;
  }[];
  /** Names that clients of other products sent, those first whose name was taken. */
  names: {
    /** The name of its events. */
    name: string;
    /** As the client of another product sent it. */
    sentName: string;
    /** The sent name, or the event of the service, that has the name which the rule makes; null where this one has it. */
    takenBy: string | null;
    firstAt: string;
  }[];
};

export type InsightEvents = {
  /** With an event in as many days, up to now. */
  people: number;
  firstEventAt: string | null;
  lastEventAt: string | null;
  /** Events in the 24 hours before now. */
  lastDay: number;
  /** Events in the week before the silence, if any. */
  weekBefore: number;
};

/** The newest version with 20 written reviews, where its mean differs from that of the version before beyond chance; else null. */
export type InsightReviews = {
  appVersion: string;
  reviews: number;
  mean: number;
  before: {
    appVersion: string;
    reviews: number;
    mean: number;
    pValue: number;
    isBeyondChance: boolean;
  };
};

export type InsightStoreFigures = {
  downloads: number;
  trials: number;
  /** Renewals included. */
  subscriptionUnits: number;
  /** Without renewals; null where a report does not say which are new. */
  newSubscriptionUnits: number | null;
  iapUnits: number;
  /** Everything that money was paid for: paid downloads, in-app purchases, renewals. */
  paidUnits: number;
  /** Of the same things, on the days of the refunds. */
  refunds: number;
  /** In the window before. */
  previousPaidUnits: number;
  /** In the window before. */
  previousRefunds: number;
  proceedsMinor: number;
  currency: string;
  /** Proceeds without an exchange rate, which `proceedsMinor` lacks. */
  unconverted: InsightUnconverted[];
  /** Days of the window without sales or a confirmed zero, which all figures lack. */
  missingDays: string[];
  /** In-app purchases and subscriptions, by the country of the store account. */
  purchasesByCountry: { country: string; units: number }[];
  downloadToTrial: number | null;
  /** New subscriptions by downloads; renewals are no conversions. */
  downloadToPaid: number | null;
};

export type InsightUnconverted = { currency: string; proceedsMinor: number };

/** The default funnel of people first seen in the window, by the version with which each entered it: what `version_conversion` rests on. */
export type InsightVersions = {
  window: { from: string; to: string };
  /** Time that each of them had, from the first entry on. */
  hours: number;
  /** Oldest version first, of the twenty with most people. */
  figures: {
    appVersion: string;
    people: number;
    verdict: 'ready' | 'too_few_people' | 'no_data';
    steps: {
      index: number;
      people: number | null;
      rateFromPrevious: number | null;
      rateFromPreviousLow: number | null;
      rateFromPreviousHigh: number | null;
    }[];
  }[];
};

export type Insights = {
  appId: string;
  window: {
    from: string;
    to: string;
    days: number;
    fromAt: string;
    toAt: string;
    timezone: string;
  };
  events: InsightEvents;
  store: InsightStoreFigures | null;
  funnel: FunnelReport | null;
  judged: JudgedFunnel | null;
  versions: InsightVersions | null;
  reviews: InsightReviews | null;
  recommendations: Recommendation[];
  /** Rules whose figures were not there in time, so that nothing of them above says nothing: ask again. */
  unchecked: (
    | 'events_not_arriving'
    | 'store_days_missing'
    | 'too_few_people'
    | 'biggest_leak'
    | 'paywall_before_value'
    | 'trial_not_offered'
    | 'conversion_falling'
    | 'version_reviews'
    | 'version_conversion'
    | 'refunds_rising'
    | 'country_buys_but_does_not_convert'
    | 'consent_rescinded'
    | 'external_purchase_token'
  )[];
};

export type Invitation = {
  email: string;
  /** What the member may do */
  role: 'owner' | 'admin' | 'member' | 'viewer';
  expiresAt: string;
  createdAt: string;
};

export type InviteMemberBody = {
  /** An e-mail address; upper and lower case are the same */
  email: string;
  /** What the member may do */
  role: 'owner' | 'admin' | 'member' | 'viewer';
};

export type IsCondition = {
  /** name, platform, appVersion, osVersion, locale, country, session, or prop:NAME for a property; first: before it for that of the person's first event; arm for the arm of an experiment. */
  field: string;
  op: 'is' | 'isNot';
  value: string | number | boolean;
};

export type JoinCompanyBody = {
  /** Short name of the organization */
  organization: string;
};

export type JoinCompanyStarted = {
  /** Where the browser goes next */
  location: string;
};

/** The default funnel of the people whose time to convert is over, and of the window of the same length before: what recommendations rest on. */
export type JudgedFunnel = {
  window: { from: string; to: string; previousFrom: string; previousTo: string };
  /** People, each counted once. */
  people: number;
  /** Fewer than 50 people in step 1: no figure is drawn. */
  verdict: 'ready' | 'too_few_people' | 'no_data';
  steps: FunnelStepFigures[];
  overall: FunnelFigures;
  previous: {
    /** People, each counted once. */
    people: number;
    /** Fewer than 50 people in step 1: no figure is drawn. */
    verdict: 'ready' | 'too_few_people' | 'no_data';
    steps: FunnelStepFigures[];
    overall: FunnelFigures;
  };
  byCountry: { country: string; people: number; rate: number | null; rateHigh: number | null }[];
  paywallFirst: { viewers: number; finishedAfter: number } | null;
};

export type KeyedMetrics = {
  /** Minor units */
  proceedsMinor: number;
  /** Minor units */
  customerSpendMinor: number;
  /** Minor units */
  unconvertedProceedsMinor: number;
  downloads: number;
  redownloads: number;
  updates: number;
  iapUnits: number;
  subscriptionUnits: number;
  trials: number;
  otherUnits: number;
  refunds: number;
  key: string;
  label: string;
};

export type KindRevenue = {
  /** new: the first payment of a subscription; after_trial: the first payment after a free trial; renewal: any later one; one_time: what does not renew. */
  kind: 'new' | 'after_trial' | 'renewal' | 'one_time';
  /** Paid transactions bought in these days. */
  purchases: number;
  /** The customers' prices, before commission and tax, by the day of the purchase. */
  grossMinor: number;
  refunds: {
    /** Of what was bought in these days, since refunded: the past changes. */
    byPurchaseDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
    /** Given back in these days, whenever it was bought. */
    byRefundDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
  };
  /** `grossMinor` less `refunds.byRefundDay`. */
  netMinor: number;
  /** Of `netMinor` what the store pays out, where its reports of the last 35 days say the share of the product, country and currency; null where they say none. */
  proceedsMinor: number | null;
  /** The part of `netMinor` whose share no report says; not in `proceedsMinor`. */
  withoutShareMinor: number;
};

export type KnownProduct = {
  id: string;
  /** Seen in a signed transaction of either environment. */
  isBought: boolean;
  /** In the store's sales reports of this app. */
  isReported: boolean;
  /** As the catalogue of the store has it; missing where that has it not. */
  listed?: {
    name: string;
    kind: 'consumable' | 'non_consumable' | 'non_renewing' | 'auto_renewable' | 'unknown';
    /** Null unless it renews. */
    period: 'P1W' | 'P1M' | 'P2M' | 'P3M' | 'P6M' | 'P1Y' | null;
    group: { id: string; name: string } | null;
    /** In its group; 1 is the highest. */
    level: number | null;
    familySharable: boolean;
    state:
      | 'missing_metadata'
      | 'waiting_for_upload'
      | 'processing_content'
      | 'ready_to_submit'
      | 'waiting_for_review'
      | 'in_review'
      | 'developer_action_needed'
      | 'pending_binary_approval'
      | 'approved'
      | 'developer_removed_from_sale'
      | 'removed_from_sale'
      | 'rejected'
      | 'unknown';
  };
};

export type KnownSignInProvider = {
  /** Address of the issuer, as its discovery document has it */
  issuer: string;
  /** 1 to 256 characters (Unicode code points) */
  clientId: string;
  /** Of the mail addresses that may sign in; subdomains are others */
  domains: string[];
  /** Claim with the names or ids of the groups */
  groupsClaim: string;
  /** Who is in several has the strongest role */
  roles: {
    /** 1 to 256 characters (Unicode code points) */
    group: string;
    /** What its members may do */
    role: 'owner' | 'admin' | 'member' | 'viewer';
  }[];
  /** Of who is in none of them; null: refused */
  roleWithoutGroup: 'owner' | 'admin' | 'member' | 'viewer' | null;
  /** Sessions by password are closed to this organization; keys go on */
  isOnlyWay: boolean;
  updatedAt: string;
};

export type LeaveOrganizationBody = {
  /** 1 to 64 characters (Unicode code points) */
  organizationId: string;
};

export type LifecycleAnswer = {
  kind: 'lifecycle';
  window: { from: string; to: string };
  interval: 'hour' | 'day' | 'week' | 'month';
  timezone: string;
  environment: 'production' | 'development' | 'all';
  computedAt: string;
  dataThrough: string;
  /** Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted. */
  countedFrom?: number;
  /** Distinct people of the window and of the interval before it. */
  people: number;
  minimumPeople: 50;
  /** Counts are always shown; with fewer than fifty people nobody is listed. */
  verdict: 'ready' | 'too_few_people' | 'no_data';
  points: {
    from: string;
    /** new + returning + resurrected. */
    active: number;
    /** Active for the first time ever. */
    'new': number;
    /** Active in the interval before too. */
    returning: number;
    /** Active earlier, but not in the interval before. */
    resurrected: number;
    /** Active in the interval before and not in this one; null while it is not over. */
    dormant: number | null;
    /** The interval is not over. */
    partial?: true;
  }[];
  breakdown?: {
    /** Null for all other values. */
    value: string | null;
    /** Distinct people of the window and of the interval before it. */
    people: number;
    /** Counts are always shown; with fewer than fifty people nobody is listed. */
    verdict: 'ready' | 'too_few_people' | 'no_data';
    points: {
      from: string;
      /** new + returning + resurrected. */
      active: number;
      /** Active for the first time ever. */
      'new': number;
      /** Active in the interval before too. */
      returning: number;
      /** Active earlier, but not in the interval before. */
      resurrected: number;
      /** Active in the interval before and not in this one; null while it is not over. */
      dormant: number | null;
      /** The interval is not over. */
      partial?: true;
    }[];
  }[];
  /** Where the ranges of the breakdown begin. */
  bounds?: number[];
};

/** New is then who did this for the first time. */
export type LifecycleQuestion = {
  kind: 'lifecycle';
  selection?: EventSelection;
  breakdown?: BreakdownBy;
  /** Weeks begin on Monday. */
  interval?: 'hour' | 'day' | 'week' | 'month';
  /** Before today, or before now for funnels. Not together with from and to. */
  days?: number;
  /** A date such as 2026-11-21 or an ISO 8601 date-time with an offset. */
  from?: string;
  /** A date is included, a date-time is not. */
  to?: string;
  /** IANA name; the app's timezone when left out. */
  timezone?: string;
  environment?: 'production' | 'development' | 'all';
};

export type LifecycleReport = {
  window: { from: string; to: string };
  interval: 'hour' | 'day' | 'week' | 'month';
  timezone: string;
  environment: 'production' | 'development' | 'all';
  computedAt: string;
  dataThrough: string;
  /** Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted. */
  countedFrom?: number;
  /** Distinct people of the window and of the interval before it. */
  people: number;
  minimumPeople: 50;
  /** Counts are always shown; with fewer than fifty people nobody is listed. */
  verdict: 'ready' | 'too_few_people' | 'no_data';
  points: {
    from: string;
    /** new + returning + resurrected. */
    active: number;
    /** Active for the first time ever. */
    'new': number;
    /** Active in the interval before too. */
    returning: number;
    /** Active earlier, but not in the interval before. */
    resurrected: number;
    /** Active in the interval before and not in this one; null while it is not over. */
    dormant: number | null;
    /** The interval is not over. */
    partial?: true;
  }[];
  forecast?: Forecast;
  /** What the question names and the app never sent (an event, a property, a value), with the nearest that it did send. */
  hint?: string;
};

export type LinkStoreAppBody = {
  /** 1 to 40 characters (Unicode code points) */
  storeAppId: string;
  /** null unlinks */
  appId: string | null;
};

export type LinkedStoreApp = { linked: boolean };

export type LogPage = {
  /** Newest first */
  entries: Record<string, unknown>[];
  resources: string[];
  envs: string[];
  /** Entries that match, on this page or not */
  total: number;
  source: 'database' | 'memory';
  /** Entries of this organization that were lost because memory was full */
  dropped: number;
};

export type MadeStoreWebhook = {
  /** What the store posts to. */
  address: string;
  /** Made in the store’s account with the key; else a person enters it there. */
  isInAccount: boolean;
  /** Why it is not in the account. */
  lastError: string | null;
  rotatedAt: string;
  lastDeliveryAt: string | null;
  pingedAt: string | null;
  /** To enter in App Store Connect; shown once, null where the key made it. */
  secret: string | null;
};

export type Mark = {
  kind: 'version' | 'release' | 'experiment_started' | 'experiment_stopped' | 'price' | 'note';
  /** Of the app's timezone; of a price the store's Pacific day, which is never cut anew. */
  day: string;
  at: string | null;
  /** One line for people. */
  text: string;
  /** Of a note; nothing else can be deleted. */
  id: string | null;
  author: { kind: 'user' | 'orgKey'; id: string } | null;
  appVersion?: string;
  experimentId?: string;
  price?: {
    productId: string;
    productName: string;
    /** The first of the countries by code; ISO 3166-1 alpha-2. */
    country: string;
    currency: string;
    fromMinor: number;
    toMinor: number;
    /** In how many the price changed. */
    countries: number;
  };
};

export type Marks = {
  from: string;
  to: string;
  timezone: string;
  /** In the order of their days; at most 500. */
  marks: Mark[];
  /** Older ones of the window that are left out. */
  omitted: number;
};

export type MeasuredMetric = {
  id: string;
  name: string;
  /** Deciding metrics share the 5 % of false winners; a guardrail only warns when it gets worse. */
  role: 'deciding' | 'guardrail';
  better: 'higher' | 'lower';
  kind: 'funnel' | 'event' | 'trial' | 'revenue';
  /** Of each interval: 5 % ÷ ((arms − 1) × metrics). */
  alpha: number;
  arms: {
    armId: string;
    people: number;
    /** People who did it, or what they paid in minor units. */
    total: number | null;
    /** Per person; null under fifty people. */
    mean: number | null;
    /** Of a share of people, its Wilson 95 % interval; null of money. */
    low: number | null;
    high: number | null;
  }[];
  differences: ArmDifference[];
};

export type MeasuredPoint = {
  from: string;
  /** Lengths are seconds. Null of nothing; ratios and statistics also of fewer than 50 people. */
  value: number | null;
  /** Distinct people behind the value. */
  people: number;
  /** Events, sessions, values or people that the value is of. */
  count: number;
  /** Lengths are seconds. Null of nothing; ratios and statistics also of fewer than 50 people. */
  previousValue?: number | null;
  /** The interval is not over; it is in no total and no change. */
  partial?: true;
};

/** People with an exposure, in one arm only, not overridden by hand, whose conversion window is over. */
export type MeasuredReport = {
  windowHours: number;
  margin: number;
  minimumDays: 7;
  fullDays: number;
  /** Whose conversion window is over. */
  people: number;
  /** Shown an arm by hand; counted in none. */
  overriddenPeople: number;
  exposedBefore: string;
  controlArmId: string;
  metrics: MeasuredMetric[];
  revenue: {
    currency: string;
    capPercentile: number;
    /** That percentile of what those who paid have paid. */
    capMinor: number | null;
    /** Who paid more, and counts with the cap. */
    cappedPeople: number;
    purchases: number;
    /** Those whose buyer is known by name; the others count for nobody. */
    joined: number;
    /** Without a price, or without an exchange rate of their day. */
    unconverted: number;
  } | null;
};

export type MeasuresAnswer = {
  kind: 'measures';
  measure:
    | {
        of:
          | 'people'
          | 'events'
          | 'eventsPerPerson'
          | 'sessions'
          | 'sessionsPerPerson'
          | 'sessionLength';
      }
    | {
        of: 'property';
        property: string;
        statistic: 'sum' | 'mean' | 'median' | 'p90' | 'minimum' | 'maximum';
        /** person: of each person's sum in the interval. */
        per: 'event' | 'person';
      };
  window: {
    from: string;
    to: string;
    /** Where the last interval that is over ends: totals and changes end here. */
    finishedThrough: string;
    previousFrom: string | null;
  };
  interval: 'hour' | 'day' | 'week' | 'month';
  timezone: string;
  environment: 'production' | 'development' | 'all';
  computedAt: string;
  dataThrough: string;
  /** Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted. */
  countedFrom?: number;
  minimumPeople: 50;
  /** Of all intervals that are over together: not the sum of the points. */
  totals: {
    /** Lengths are seconds. Null of nothing; ratios and statistics also of fewer than 50 people. */
    value: number | null;
    /** Distinct people behind the value. */
    people: number;
    /** Events, sessions, values or people that the value is of. */
    count: number;
    /** Lengths are seconds. Null of nothing; ratios and statistics also of fewer than 50 people. */
    previousValue: number | null;
    /** Against the window before: 0.1 is ten percent more. Null without comparison, where fewer than fifty people were before, and where the value before was not above zero. */
    change: number | null;
  };
  points: MeasuredPoint[];
  relativeError: 0.001 | null;
  /** Of each value of the breakdown; they do not add up to the totals. */
  series?: {
    /** The value; `other` for all other values. */
    key: string;
    rest?: true;
    /** Of all intervals that are over together: not the sum of the points. */
    totals: {
      /** Lengths are seconds. Null of nothing; ratios and statistics also of fewer than 50 people. */
      value: number | null;
      /** Distinct people behind the value. */
      people: number;
      /** Events, sessions, values or people that the value is of. */
      count: number;
      /** Lengths are seconds. Null of nothing; ratios and statistics also of fewer than 50 people. */
      previousValue: number | null;
      /** Against the window before: 0.1 is ten percent more. Null without comparison, where fewer than fifty people were before, and where the value before was not above zero. */
      change: number | null;
    };
    points: MeasuredPoint[];
  }[];
  /** Why no change is given. */
  notice?: string;
  /** Of each dimension. */
  breakdown?: {
    /** Values that `other` is of. */
    others: number;
    /** Where ranges begin: the same when asked for these bounds. */
    bounds?: number[];
  }[];
  /** Of the further measures, in the order of the question. */
  others?: {
    measure:
      | {
          of:
            | 'people'
            | 'events'
            | 'eventsPerPerson'
            | 'sessions'
            | 'sessionsPerPerson'
            | 'sessionLength';
        }
      | {
          of: 'property';
          property: string;
          statistic: 'sum' | 'mean' | 'median' | 'p90' | 'minimum' | 'maximum';
          /** person: of each person's sum in the interval. */
          per: 'event' | 'person';
        };
    /** Of all intervals that are over together: not the sum of the points. */
    totals: {
      /** Lengths are seconds. Null of nothing; ratios and statistics also of fewer than 50 people. */
      value: number | null;
      /** Distinct people behind the value. */
      people: number;
      /** Events, sessions, values or people that the value is of. */
      count: number;
      /** Lengths are seconds. Null of nothing; ratios and statistics also of fewer than 50 people. */
      previousValue: number | null;
      /** Against the window before: 0.1 is ten percent more. Null without comparison, where fewer than fifty people were before, and where the value before was not above zero. */
      change: number | null;
    };
    points: MeasuredPoint[];
    /** Of each value of the breakdown; they do not add up to the totals. */
    series?: {
      /** The value; `other` for all other values. */
      key: string;
      rest?: true;
      /** Of all intervals that are over together: not the sum of the points. */
      totals: {
        /** Lengths are seconds. Null of nothing; ratios and statistics also of fewer than 50 people. */
        value: number | null;
        /** Distinct people behind the value. */
        people: number;
        /** Events, sessions, values or people that the value is of. */
        count: number;
        /** Lengths are seconds. Null of nothing; ratios and statistics also of fewer than 50 people. */
        previousValue: number | null;
        /** Against the window before: 0.1 is ten percent more. Null without comparison, where fewer than fifty people were before, and where the value before was not above zero. */
        change: number | null;
      };
      points: MeasuredPoint[];
    }[];
    relativeError: 0.001 | null;
  }[];
};

/** Sessions are those with an event of the selection, each in the interval in which it begins. Broken down, each value is measured as if its events alone were asked for. */
export type MeasuresQuestion = {
  kind: 'measures';
  selection?: EventSelection;
  measure:
    | {
        of:
          | 'people'
          | 'events'
          | 'eventsPerPerson'
          | 'sessions'
          | 'sessionsPerPerson'
          | 'sessionLength';
      }
    | {
        of: 'property';
        property: string;
        statistic: 'sum' | 'mean' | 'median' | 'p90' | 'minimum' | 'maximum';
        /** person: of each person's sum in the interval. */
        per: 'event' | 'person';
      };
  /** Further measures of the same selection. */
  others?: (
    | {
        of:
          | 'people'
          | 'events'
          | 'eventsPerPerson'
          | 'sessions'
          | 'sessionsPerPerson'
          | 'sessionLength';
      }
    | {
        of: 'property';
        property: string;
        statistic: 'sum' | 'mean' | 'median' | 'p90' | 'minimum' | 'maximum';
        /** person: of each person's sum in the interval. */
        per: 'event' | 'person';
      }
  )[];
  breakdown?: BreakdownBy;
  /** Weeks begin on Monday. */
  interval?: 'hour' | 'day' | 'week' | 'month';
  /** With the window before: as many intervals as are over. */
  compare?: boolean;
  /** Before today, or before now for funnels. Not together with from and to. */
  days?: number;
  /** A date such as 2026-11-21 or an ISO 8601 date-time with an offset. */
  from?: string;
  /** A date is included, a date-time is not. */
  to?: string;
  /** IANA name; the app's timezone when left out. */
  timezone?: string;
  environment?: 'production' | 'development' | 'all';
};

export type Member = {
  id: string;
  userId: string;
  name: string;
  email: string;
  /** What the member may do */
  role: 'owner' | 'admin' | 'member' | 'viewer';
  createdAt: string;
};

/** Whether the person is in a segment of the app. */
export type MemberCondition = {
  segment: string;
  is: boolean;
  /** now: who is in the segment when it is asked. event: who was in it by what came before the event. */
  asOf?: 'now' | 'event';
};

export type MembershipClause = { segment: string; is?: boolean };

export type MessageSettings = {
  /** Insights that ask to act, when they begin. */
  alerts: boolean;
  /** One line for each new subscription. */
  subscribers: boolean;
  /** One line for each refund. */
  refunds: boolean;
  /** One line for each renewal that the store could not charge. */
  billingProblems: boolean;
  quietHours: QuietHours | null;
  /** Watches of saved questions, when they go beyond. */
  watches: boolean;
};

export type Metrics = {
  /** Minor units */
  proceedsMinor: number;
  /** Minor units */
  customerSpendMinor: number;
  /** Minor units */
  unconvertedProceedsMinor: number;
  downloads: number;
  redownloads: number;
  updates: number;
  iapUnits: number;
  subscriptionUnits: number;
  trials: number;
  otherUnits: number;
  refunds: number;
};

/** What the totals of a window lack */
export type MissingSales = {
  /** Neither reported nor confirmed to be without sales; all of the figures lack them */
  days: string[];
  /** Proceeds without a rate */
  unconverted: CurrencyProceeds[];
  /** Customer spend without a rate */
  unconvertedSpend: CurrencySpend[];
};

export type NamedEntitlement = {
  /** What apps ask for, such as `pro`. */
  name: string;
  /** Any of them gives what the name stands for. */
  productIds: string[];
};

export type NamedEntitlements = {
  entitlements: NamedEntitlement[];
  /** Those that names may stand for, by id. */
  products: KnownProduct[];
  /** True where the key may not read the catalogue of the store: products are those that were bought or reported. */
  isCatalogueRefused?: boolean;
};

export type NewApp = {
  slug: string;
  /** 1 to 80 characters (Unicode code points), not only blanks */
  displayName: string;
  region?: 'us-east-1' | 'us-west-1' | 'eu-west-1';
};

export type NewDigestDestination = {
  kind: 'mail' | 'slack' | 'discord' | 'json';
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  /** The address of a member for `mail`; for the others where to post: the incoming webhook of Slack or Discord, or an address of your own. */
  target: string;
};

export type NewExperiment = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  arms: {
    /** 1 to 80 characters (Unicode code points), not only blanks */
    name: string;
    /** Share of people in proportion to the sum of all weights. */
    weight: number;
    /** Of every arm, or of none: then rules of flags give the arms their values. */
    onboardingId?: string;
  }[];
  layer?: ExperimentLayer;
  /** What the report measures; fixed once the experiment has run. */
  measurement?: {
    /** How long after the exposure what a person does counts. */
    windowHours?: number;
    /** A difference smaller than this share of the control arm’s figure does not matter: 0.1 is a tenth more or less. */
    margin?: number;
    /** What a person paid counts up to this percentile of those who paid, of all arms together. A lower one decides sooner, and says less of the largest payers. */
    capPercentile?: 99.9 | 99 | 95;
    metrics?: {
      /** 1 to 80 characters (Unicode code points), not only blanks */
      name: string;
      /** `event`: the share of people who did it. `trial`: the share who started a free trial. `revenue`: what a person paid, net of refunds, capped at `capPercentile`. */
      kind: 'event' | 'trial' | 'revenue';
      event?: string;
      where?: FunnelWhere;
      /** Deciding metrics share the 5 % of false winners; a guardrail only warns when it gets worse. */
      role?: 'deciding' | 'guardrail';
      better?: 'higher' | 'lower';
    }[];
  };
};

export type NewExperimentOverride = {
  /** The device, as it names itself in events. */
  anonymousId: string;
  armId: string;
};

export type NewFlag = {
  /** What apps ask for; never changes. */
  key: string;
  /** Of all its values; json is an object. Never changes. */
  type: 'boolean' | 'string' | 'number' | 'json';
  /** false when left out. */
  isOn?: boolean;
  /** 0 to 500 characters (Unicode code points) */
  description?: string;
  variants: {
    name: string;
    /** Of the flag’s type; at most 16 KB as JSON. */
    value: unknown;
  }[];
  /** Where no rule applies. */
  defaultVariant: string;
  /** While the flag is off; when left out, a boolean’s false variant, else the default one. */
  offVariant?: string;
  rules?: {
    /** Given by the service; who gets what by percent and split follows from it. */
    id?: string;
    where?: Conditions;
    /** Of the people, in hundredths; the same people while the rule is there. */
    percent?: number;
    /** Served to all whom the rule is for. */
    variant?: string;
    /** In place of variant: people in proportion to the weights. */
    split?: { variant: string; weight: number }[];
    /** Goes with variations: while it runs, people get the variant of their arm, and after an arm was shipped all get that one’s. Otherwise the rule applies to nobody. */
    experiment?: string;
    /** In place of variant: by the id of each arm of the experiment, a variant. */
    variations?: Record<string, string>;
  }[];
  /** Kept in the history. */
  why?: string;
};

export type NewFunnel = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  steps: FunnelStep[];
  isDefault?: boolean;
};

export type NewInvitation = {
  email: string;
  /** What the member may do */
  role: 'owner' | 'admin' | 'member' | 'viewer';
  expiresAt: string;
  createdAt: string;
  /** The secret that the invited person accepts with */
  id: string | null;
  /** Where the invited person accepts */
  link: string | null;
  /** True: the secret is in the mail only. False: hand the link over yourself */
  mailed: boolean;
};

export type NewLogEntry = {
  level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  /** 1 to 2000 characters (Unicode code points) */
  message: string;
  /** 0 to 64 characters (Unicode code points) */
  service?: string;
  /** Any JSON up to 32 levels deep. `env`, `requestId` and `appId` can be filtered by when they are strings. */
  fields?: Record<string, unknown>;
};

export type NewMark = {
  /** 2000-01-01 to 2999-12-31. */
  day: string;
  /** 1 to 200 characters (Unicode code points), not only blanks */
  text: string;
};

export type NewNamedEntitlements = { entitlements: NamedEntitlement[] };

export type NewOfferings = {
  offerings: Offering[];
  /** For whom no flag decides; null without any offering. */
  defaultOffering: string | null;
  /** The key of a flag of text: a value that is an identifier chooses that offering for a person, by rules or the arm of an experiment. */
  flag: string | null;
};

export type NewOnboarding = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  /** Any JSON of at most 16 KB; the app knows its meaning. */
  config: unknown;
  isDefault?: boolean;
};

export type NewOrganizationKey = {
  /** 1 to 60 characters (Unicode code points), not only blanks */
  name: string;
  permissions: (
    | 'analytics:read'
    | 'analytics:sync'
    | 'integration:manage'
    | 'app:read'
    | 'app:update'
    | 'app:delete'
    | 'sql:ask'
  )[];
};

export type NewPublishableKey = {
  /** 0 to 60 characters (Unicode code points), not only blanks */
  name?: string;
  /** `events` (svp_…) sends what a shipped app sends; `flags` (svf_…) reads the flags of the app, which may be an exposure, and does nothing else. events when left out. */
  kind?: 'events' | 'flags';
  /** development for builds of developers and testers: figures leave its events out unless they are asked for. production when left out. */
  environment?: 'production' | 'development';
};

export type NewPurchaseGrant = {
  /** 1 to 128 characters (Unicode code points) */
  userId?: string;
  /** In place of userId: of the device, or of the user who signed in on it. */
  anonymousId?: string;
  /** In place of userId: whoever holds this purchase. Any of its transactions. */
  originalTransactionId?: string;
  /** 1 to 256 characters (Unicode code points) */
  productId?: string;
  /** A named entitlement of the app, in place of productId. */
  entitlement?: string;
  /** In the future; without it, or null, the grant lasts until it is revoked. */
  expiresAt?: string | null;
  /** 1 to 500 characters (Unicode code points) */
  note?: string | null;
};

export type NewPurchaseImport = {
  /** A header `userId,originalTransactionId`, then a line for each purchase. A larger file is sent in parts, each with the header. */
  csv: string;
};

export type NewRecoveryCodes = {
  /** Each opens once, in place of the six digits. They are not shown again. */
  recoveryCodes: string[];
};

export type NewSavedQuestion = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  question: Question;
};

export type NewSecondFactor = {
  /** An `otpauth:` address for the authenticator app */
  address: string;
  /** The same secret, to be typed (base 32) */
  secret: string;
  /** The address as a QR code */
  qr: {
    /** Width and height, in modules */
    size: number;
    /** Dark modules, as the path of an SVG */
    path: string;
  };
  /** Each opens once, in place of the six digits. They are not shown again. */
  recoveryCodes: string[];
};

export type NewSegment = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  rule: SegmentRule;
};

export type NewSqlQuery = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  /** One SELECT over the views of the data dictionary, as DuckDB writes it. */
  sql: string;
  /** By name: `$plan` in the text is `plan` here, `$1` is `1`. */
  parameters?: Record<string, string | number | boolean | null>;
};

export type NewStoreReportRequest = { access: 'ONGOING' | 'ONE_TIME_SNAPSHOT' };

export type NewWatch = { questionId: string; figure: WatchFigure; rule: WatchRule };

export type NewWebhook = {
  /** https, on the public internet */
  url: string;
  events: (
    | 'app.created'
    | 'app.deleted'
    | 'entitlement.changed'
    | 'store.connection_changed'
    | 'audit.recorded'
    | 'event.received'
    | 'subscription.trial_started.v1'
    | 'subscription.trial_converted.v1'
    | 'subscription.started.v1'
    | 'subscription.renewed.v1'
    | 'subscription.product_changed.v1'
    | 'subscription.canceled.v1'
    | 'subscription.uncanceled.v1'
    | 'subscription.billing_issue.v1'
    | 'subscription.expired.v1'
    | 'purchase.completed.v1'
    | 'purchase.refunded.v1'
    | 'purchase.refund_reversed.v1'
    | 'purchase.unshared.v1'
    | 'consent.rescinded.v1'
    | 'external_purchase.token_received.v1'
  )[];
  /** Names of entitlements: events of purchases are sent only where their product, or the one before it, stands under one of them. Empty for all; other events are sent as before. */
  entitlements?: string[];
  /** Names of events of apps that `event.received` tells of, which needs one; 1000 an hour at most. */
  eventNames?: string[];
  /** One in so many of these events is told, chosen by its id; 1 when left out */
  eventOneIn?: number;
};

/** The numbers of a property in ranges; what is no number counts as missing. */
export type NumberRanges = {
  property: string;
  /** Where ranges begin, ascending; round ones near the quantiles of what was sent when left out. */
  bounds?: number[];
};

export type OfferRevenue = {
  /** The kind of offer and, where it has one, `:` and its id; `none` without one. */
  offer: string;
  /** Paid transactions bought in these days. */
  purchases: number;
  /** The customers' prices, before commission and tax, by the day of the purchase. */
  grossMinor: number;
  refunds: {
    /** Of what was bought in these days, since refunded: the past changes. */
    byPurchaseDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
    /** Given back in these days, whenever it was bought. */
    byRefundDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
  };
  /** `grossMinor` less `refunds.byRefundDay`. */
  netMinor: number;
  /** Of `netMinor` what the store pays out, where its reports of the last 35 days say the share of the product, country and currency; null where they say none. */
  proceedsMinor: number | null;
  /** The part of `netMinor` whose share no report says; not in `proceedsMinor`. */
  withoutShareMinor: number;
};

export type OfferSignature = {
  kind: 'promotional' | 'promotional_jws' | 'introductory';
  productId: string;
  offerId: string | null;
  keyId: string;
  /** Good for one try to buy, also for one that fails. */
  nonce: string;
  /** Epoch milliseconds. `promotional` is good for 24 hours from then. */
  timestamp: number;
  appAccountToken: string | null;
  /** Of `promotional`, in base64: pass it on decoded once. */
  signature: string | null;
  /** Of the other kinds. */
  jws: string | null;
};

export type OfferedInvitation = {
  organizationName: string;
  /** Null for an address that nobody has proved to be theirs */
  inviterEmail: string | null;
  email: string;
  /** What the member may do */
  role: 'owner' | 'admin' | 'member' | 'viewer';
  expiresAt: string;
};

export type Offering = {
  identifier: string;
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  packages: OfferingPackage[];
  /** Any JSON, at most 16384 bytes; sent as it is. */
  metadata?: unknown;
};

export type OfferingPackage = {
  identifier: string;
  /** Of the app, in order; usually one for each store. */
  productIds: string[];
  /** Any JSON, at most 16384 bytes; sent as it is. */
  metadata?: unknown;
};

export type Offerings = {
  offerings: Offering[];
  /** For whom no flag decides; null without any offering. */
  defaultOffering: string | null;
  /** The key of a flag of text: a value that is an identifier chooses that offering for a person, by rules or the arm of an experiment. */
  flag: string | null;
};

export type Onboarding = {
  id: string;
  appId: string;
  name: string;
  /** Any JSON of at most 16 KB; the app knows its meaning. */
  config: unknown;
  isDefault: boolean;
  createdAt: string;
  updatedAt: string;
};

export type OnboardingChange = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name?: string;
  /** Any JSON of at most 16 KB; the app knows its meaning. */
  config?: unknown;
  isDefault?: boolean;
};

export type OnboardingSurvey = {
  completed: boolean;
  source:
    | 'search'
    | 'ai_assistant'
    | 'forum'
    | 'news_aggregator'
    | 'microblog'
    | 'code_host'
    | 'video_site'
    | 'friend'
    | 'content'
    | 'other'
    | null;
  building: string | null;
  completedAt: string | null;
};

export type OnboardingSurveyAnswers = {
  source?:
    | 'search'
    | 'ai_assistant'
    | 'forum'
    | 'news_aggregator'
    | 'microblog'
    | 'code_host'
    | 'video_site'
    | 'friend'
    | 'content'
    | 'other';
  /** 0 to 280 characters (Unicode code points) */
  sourceDetail?: string;
  /** 0 to 280 characters (Unicode code points) */
  building?: string;
};

export type OneOfCondition = {
  /** name, platform, appVersion, osVersion, locale, country, session, or prop:NAME for a property; first: before it for that of the person's first event; arm for the arm of an experiment. */
  field: string;
  op: 'isOneOf';
  values: (string | number | boolean)[];
};

export type OrderCondition = {
  /** name, platform, appVersion, osVersion, locale, country, session, or prop:NAME for a property; first: before it for that of the person's first event; arm for the arm of an experiment. */
  field: string;
  op: 'gt' | 'gte' | 'lt' | 'lte';
  value: number | string;
};

export type Organization = { id: string; name: string; slug: string; createdAt: string };

export type OrganizationKey = {
  id: string;
  name: string;
  /** The first characters of the secret */
  prefix: string;
  permissions: (
    | 'analytics:read'
    | 'analytics:sync'
    | 'integration:manage'
    | 'app:read'
    | 'app:update'
    | 'app:delete'
    | 'sql:ask'
  )[];
  createdAt: string;
  revokedAt: string | null;
  /** Address of who made it; null when the account is gone */
  createdBy: string | null;
  lastUsedAt: string | null;
};

export type OrganizationSecurity = {
  /** Members without a second factor are refused until they have one */
  secondFactorRequired: boolean;
};

export type OrganizationSecurityBody = {
  /** Members without a second factor are refused until they have one */
  secondFactorRequired: boolean;
};

export type OrganizationSettings = {
  /** ISO 4217, in either case, of those with exchange rates. Money of figures is in it unless a question asks for another. */
  currency: string;
};

export type OwnCurrencyRevenue = {
  currency: string;
  purchases: number;
  /** Minor units of the currency. */
  grossMinor: number;
  refunds: GivenBackMoney;
};

export type PasswordAgainBody = {
  /** 1 to 128 characters (Unicode code points) */
  currentPassword: string;
};

export type PasswordAndCodeBody = {
  /** 1 to 128 characters (Unicode code points) */
  currentPassword: string;
  /** The six digits that the authenticator app shows now, or a recovery code */
  code: string;
};

export type PathsAnswer = {
  kind: 'paths';
  window: { from: string; to: string };
  direction: 'after' | 'before';
  timezone: string;
  environment: 'production' | 'development' | 'all';
  computedAt: string;
  dataThrough: string;
  /** Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted. */
  countedFrom?: number;
  /** With the event in the window. */
  sessions: number;
  /** Distinct people of these sessions. */
  people: number;
  minimumPeople: 50;
  /** With fewer than fifty people no step is shown. */
  verdict: 'ready' | 'too_few_people' | 'no_data';
  steps: {
    /** Counted from the event. */
    step: number;
    nodes: {
      /** event: of this name; rest: all events that are not named; end: the session has no more. */
      kind: 'event' | 'rest' | 'end';
      name: string | null;
      sessions: number;
      /** Distinct people: those of the nodes of a step do not add up. */
      people: number;
      /** Of all sessions. */
      share: number;
    }[];
    /** How sessions came from the nodes of the step before; none in the first step. */
    links: {
      /** The node of the step before, from 0. */
      from: number;
      /** The node of this step, from 0. */
      to: number;
      sessions: number;
      /** Distinct people: those of the nodes of a step do not add up. */
      people: number;
    }[];
  }[];
};

/** What comes directly beside the first event of the selection in each session. */
export type PathsQuestion = {
  kind: 'paths';
  selection: EventSelection;
  /** What came after it or before. */
  direction?: 'after' | 'before';
  /** Events named in each step; all others are one. */
  names?: number;
  /** Before today, or before now for funnels. Not together with from and to. */
  days?: number;
  /** A date such as 2026-11-21 or an ISO 8601 date-time with an offset. */
  from?: string;
  /** A date is included, a date-time is not. */
  to?: string;
  /** IANA name; the app's timezone when left out. */
  timezone?: string;
  environment?: 'production' | 'development' | 'all';
};

export type PathsReport = {
  window: { from: string; to: string };
  name: string;
  direction: 'after' | 'before';
  timezone: string;
  environment: 'production' | 'development' | 'all';
  computedAt: string;
  dataThrough: string;
  /** Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted. */
  countedFrom?: number;
  /** With the event in the window. */
  sessions: number;
  /** Distinct people of these sessions. */
  people: number;
  minimumPeople: 50;
  /** With fewer than fifty people no step is shown. */
  verdict: 'ready' | 'too_few_people' | 'no_data';
  steps: {
    /** Counted from the event. */
    step: number;
    nodes: {
      /** event: of this name; rest: all events that are not named; end: the session has no more. */
      kind: 'event' | 'rest' | 'end';
      name: string | null;
      sessions: number;
      /** Distinct people: those of the nodes of a step do not add up. */
      people: number;
      /** Of all sessions. */
      share: number;
    }[];
    /** How sessions came from the nodes of the step before; none in the first step. */
    links: {
      /** The node of the step before, from 0. */
      from: number;
      /** The node of this step, from 0. */
      to: number;
      sessions: number;
      /** Distinct people: those of the nodes of a step do not add up. */
      people: number;
    }[];
  }[];
  forecast?: Forecast;
  /** What the question names and the app never sent (an event, a property, a value), with the nearest that it did send. */
  hint?: string;
};

/** Entitled by a period that this person paid for, or in its grace period. Trials, free periods, grants and the family's purchases are not paid. */
export type PayingClause = {
  paying: boolean;
  /** 1 to 200 characters (Unicode code points), not only blanks */
  productId?: string;
  /** A named entitlement of the app. */
  entitlement?: string;
};

export type PeopleBehind = { people: { personId: string }[]; nextCursor: string | null };

export type PeopleOfQuestion = {
  /** By id. */
  people: { personId: string }[];
  nextCursor: string | null;
};

export type PeopleOfSegment = {
  /** By id. */
  people: { personId: string }[];
  /** Everybody in the segment now. */
  total: number;
  nextCursor: string | null;
};

export type PersonExport = {
  /** The person of the id that was asked for, else the user of that device; the device without a user. */
  personId: string;
  /** The anonymous ids that are mapped to this user, without ids of other people. */
  anonymousIds: string[];
  /** As they are stored, in order of receipt, what the service wrote included. */
  events: RecentEvent[];
  /** What is stored beside the events, after the last of them. */
  records: PersonRecord[];
  /** Neither exported nor erased, whatever it says of a person. */
  notSearched: string;
  nextCursor: string | null;
};

export type PersonRecord = {
  /** Such as `purchase`, `purchase_transaction`, `purchase_grant`, `experiment_override`, `log_entry` or `webhook_delivery`. */
  kind: string;
  /** As it is stored. */
  data: Record<string, unknown>;
};

export type PinnedView = {
  /** 1 to 60 characters (Unicode code points), not only blanks */
  title: string;
  page: 'trends' | 'retention' | 'funnels' | 'questions';
  /** What stands after the question mark of its address; empty for the usual view */
  query: string;
};

export type PlatformPerformance = {
  platform: 'photo_feed' | 'short_video';
  followers: number | null;
  reach: number | null;
  views: number | null;
  impressions: number | null;
  likes: number | null;
  comments: number | null;
  shares: number | null;
  primaryMetric: 'reach' | 'views' | 'impressions' | null;
  timeseries: { date: string; value: number }[];
};

export type PlayConnection = {
  appId: string;
  packageName: string;
  /** The service account, to be invited in Play Console under Users and permissions. */
  clientEmail: string;
  privateKeyId: string;
  pushEmail: string | null;
  lastNotificationAt: string | null;
  lastTestAt: string | null;
  status: 'connected' | 'invalid';
  connectedAt: string;
  lastVerifiedAt: string;
  /** What Google Play refused, and what to do about it. */
  lastError: string | null;
  /** Where the push subscription of Google Cloud Pub/Sub sends notifications, with authentication by `pushEmail` and this address as audience. */
  pushAddress: string;
};

export type PlayPushBody = {
  message: {
    /** The notification, in base64. */
    data: string;
  };
};

export type PlayPushReceived = {
  /** false: it was no notification of this app. */
  received: boolean;
};

/** All cohorts that finished a period, together. */
export type PooledCohorts = {
  people: number;
  /** From the cohort's own interval (period 0) on, each with all before it; null where the period is not over. */
  periods: (CohortCell | null)[];
};

export type PreviewSegmentBody = {
  rule: SegmentRule;
  /** Events sent with publishable keys for it. */
  environment?: 'production' | 'development' | 'all';
};

export type PreviewSession = {
  /** False while no runner is set for the app */
  available: boolean;
  phase: 'starting' | 'installing' | 'ready' | 'error' | 'stopping' | 'stopped';
  ready: boolean;
  webUrl: string | null;
  expoUrl: string | null;
  version: number | null;
  /** What the runner reported, newest last */
  errors: string[];
  /** Why the session ended, with the last lines */
  error: string | null;
  startedAt: string | null;
};

export type ProductMetrics = {
  /** Minor units */
  proceedsMinor: number;
  /** Minor units */
  customerSpendMinor: number;
  /** Minor units */
  unconvertedProceedsMinor: number;
  downloads: number;
  redownloads: number;
  updates: number;
  iapUnits: number;
  subscriptionUnits: number;
  trials: number;
  otherUnits: number;
  refunds: number;
  storeAppId: string;
  sku: string;
  title: string;
  kind: 'app' | 'iap' | 'subscription' | 'other';
};

export type ProductRevenue = {
  productId: string;
  /** Paid transactions bought in these days. */
  purchases: number;
  /** The customers' prices, before commission and tax, by the day of the purchase. */
  grossMinor: number;
  refunds: {
    /** Of what was bought in these days, since refunded: the past changes. */
    byPurchaseDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
    /** Given back in these days, whenever it was bought. */
    byRefundDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
  };
  /** `grossMinor` less `refunds.byRefundDay`. */
  netMinor: number;
  /** Of `netMinor` what the store pays out, where its reports of the last 35 days say the share of the product, country and currency; null where they say none. */
  proceedsMinor: number | null;
  /** The part of `netMinor` whose share no report says; not in `proceedsMinor`. */
  withoutShareMinor: number;
};

export type PublishHistory = {
  /** The newest 100 */
  posts: PublishedPost[];
  total: number;
};

export type PublishableKey = {
  id: string;
  appId: string;
  name: string;
  /** The first characters of the secret. */
  prefix: string;
  /** `events` (svp_…) sends what a shipped app sends; `flags` (svf_…) reads the flags of the app, which may be an exposure, and does nothing else. */
  kind?: 'events' | 'flags';
  /** What the events sent with it are of. */
  environment?: 'production' | 'development';
  createdAt: string;
  revokedAt: string | null;
};

export type PublishedPost = {
  platform: string;
  mediaType: string;
  publishedAt: string;
  success: boolean;
  postUrl: string | null;
  title: string | null;
  caption: string | null;
  errorMessage: string | null;
};

export type PurchaseAccountToken = {
  originalTransactionId: string;
  /** The store's environment. */
  environment: 'Production' | 'Sandbox';
  appAccountToken: string;
};

export type PurchaseAuditEntry = {
  id: string;
  at: string;
  /** The store's environment. */
  environment: 'Production' | 'Sandbox';
  originalTransactionId: string | null;
  action:
    | 'linked'
    | 'claimed'
    | 'transferred'
    | 'kept'
    | 'shared'
    | 'granted'
    | 'revoked'
    | 'expired';
  /** Of a grant (`granted`, `revoked`, `expired`). */
  productId?: string;
  /** Of a grant by name. */
  entitlement?: string;
  from: PurchaseHolder | null;
  to: PurchaseHolder | null;
  actor: { kind: 'device' | 'store' | 'user' | 'orgKey' | 'system'; id: string | null };
};

export type PurchaseAuditPage = { entries: PurchaseAuditEntry[]; nextCursor: string | null };

export type PurchaseConnection = {
  orgId: string;
  keyId: string;
  issuerId: string;
  status: 'connected' | 'invalid';
  connectedAt: string;
  lastVerifiedAt: string | null;
  lastError: string | null;
};

export type PurchaseCustomer = {
  customerId: string;
  entitlement: Entitlement;
  reason: {
    code:
      | 'paid'
      | 'lifetime'
      | 'trial'
      | 'family_shared'
      | 'granted'
      | 'grace'
      | 'leeway'
      | 'sandbox'
      | 'billing_retry'
      | 'expired'
      | 'refunded'
      | 'grant_ended'
      | 'sandbox_not_allowed'
      | 'nothing_bought';
    /** Why this person is entitled, or is not, in words. */
    sentence: string;
  };
  purchases: {
    environment: 'Production' | 'Sandbox';
    originalTransactionId: string;
    productId: string | null;
    /** Of this purchase alone. `none`: nothing of it entitles, such as a consumable. */
    status: 'active' | 'billing_grace' | 'billing_retry' | 'expired' | 'revoked' | 'none';
    expiresAt: string | null;
    willRenew: boolean;
    /** The end of access, of `billing_grace`. */
    graceExpiresAt?: string;
    /** The end of a commitment that is billed by month. */
    committedUntil?: string;
    /** Of a subscription billed by month under a commitment: which of how many periods runs. */
    commitmentPeriod?: { number: number; total: number };
    checkedAt: string;
    holders: PurchaseHolder[];
    /** Newest first, 100 at most. */
    transactions: {
      transactionId: string;
      productId: string;
      purchasedAt: string;
      /** When its period began, where it was charged at another time. */
      startsAt?: string;
      expiresAt: string | null;
      revokedAt: string | null;
      /** When the money was given back, also where the purchase stays. */
      refundedAt: string | null;
      /** Google Play: bought beside a plan. */
      isAddOn: boolean;
      upgraded: boolean;
      freeTrial: boolean;
      ownership: 'purchased' | 'family_shared';
      /** Thousandths of the currency: 10990 is 10.99. */
      priceMilliunits: number | null;
      currency: string | null;
      storefront: string | null;
      /** The store's: `PURCHASE` or `RENEWAL`. */
      reason: string | null;
    }[];
    /** What the store said of the renewal, newest first, 100 at most. */
    renewals: {
      at: string;
      willRenew: boolean;
      /** The product that it renews to. */
      renewsTo: string | null;
      inBillingRetry: boolean;
      graceExpiresAt: string | null;
      /** The store's: 1 cancelled, 2 billing, 3 a price increase refused, 4 product gone, 5 other. */
      expirationIntent: number | null;
    }[];
  }[];
  grants: PurchaseGrant[];
  /** What happened, newest first, one sentence each, 200 at most. */
  history: {
    at: string;
    kind:
      | 'bought'
      | 'trial_started'
      | 'renewed'
      | 'product_changed'
      | 'refunded'
      | 'unshared'
      | 'ended'
      | 'renewal_off'
      | 'renewal_on'
      | 'payment_failed'
      | 'granted'
      | 'grant_ended'
      | 'consent_rescinded';
    /** What happened, in words. */
    sentence: string;
    productId: string | null;
    /** Null for a grant, and for a consent. */
    originalTransactionId: string | null;
  }[];
};

export type PurchaseCustomersPage = {
  customers: {
    /** The user who holds the purchase; its original transaction id while nobody does. */
    customerId: string;
    userId: string | null;
    environment: 'Production' | 'Sandbox';
    originalTransactionId: string;
    productId: string | null;
    /** Of this purchase alone. `none`: nothing of it entitles, such as a consumable. */
    status: 'active' | 'billing_grace' | 'billing_retry' | 'expired' | 'revoked' | 'none';
    expiresAt: string | null;
    willRenew: boolean;
    /** The end of access, of `billing_grace`. */
    graceExpiresAt?: string;
    /** The end of a commitment that is billed by month. */
    committedUntil?: string;
    /** Of a subscription billed by month under a commitment: which of how many periods runs. */
    commitmentPeriod?: { number: number; total: number };
    checkedAt: string;
  }[];
  nextCursor: string | null;
  /** Whether the store knows the search as an order id; null where it was not asked. */
  orderLookup: 'found' | 'not_found' | 'no_key' | null;
};

/** A promotional entitlement: a product, or what a name stands for, without paying. */
export type PurchaseGrant = {
  id: string;
  /** Null of a grant to a device. */
  userId: string | null;
  /** Of a grant to a device on which nobody signed in. */
  anonymousId?: string;
  /** Null of a grant by name. */
  productId: string | null;
  /** The named entitlement, of a grant by name. */
  entitlement?: string;
  expiresAt: string | null;
  note: string | null;
  grantedAt: string;
  grantedBy: { kind: 'user' | 'orgKey'; id: string };
  endedAt: string | null;
  endReason: 'revoked' | 'expired' | null;
};

export type PurchaseGrantsPage = { grants: PurchaseGrant[]; nextCursor: string | null };

export type PurchaseHolder = { kind: 'user' | 'anonymous' | 'token'; id: string };

export type PurchaseImport = {
  id: string;
  status: 'running' | 'finished';
  /** Lines after the header that are not empty. */
  total: number;
  waiting: number;
  /** Verified with the store, and held by their users. */
  bound: number;
  refused: number;
  createdAt: string;
  finishedAt: string | null;
  /** Why it waits, such as a missing purchase key; it goes on by itself. */
  lastError: string | null;
  /** By line, those after `afterLine`. */
  refusals: {
    /** Of the file; the header is line 1. */
    line: number;
    userId: string;
    originalTransactionId: string;
    reason:
      | 'invalid_line'
      | 'unknown_transaction'
      | 'other_app'
      | 'other_account'
      | 'held_by_another'
      | 'erased_person';
  }[];
  nextAfterLine: number | null;
};

export type PurchaseRevenue = {
  appId: string;
  from: string;
  to: string;
  timezone: string;
  interval: 'day' | 'week' | 'month';
  /** The end of the window, or now. */
  asOf: string;
  currency: string;
  environment: 'Production' | 'Sandbox';
  /** What the store signed. */
  source: 'transactions';
  totals: RevenueFigures;
  points: RevenuePoint[];
  byProduct: ProductRevenue[];
  byCountry: CountryRevenue[];
  byOffer: OfferRevenue[];
  byKind: KindRevenue[];
  /** Where anything of these figures is of Google Play. */
  byStore?: StoreRevenue[];
  /** All of it in the currencies that customers paid in, unconverted. */
  currencies: OwnCurrencyRevenue[];
  /** The part without an exchange rate: counted, but in no amount of the others. */
  unconverted: OwnCurrencyRevenue[];
  /** Purchases whose price the store did not sign: counted, but in no amount. */
  withoutPrice: number;
  /** Subscriptions whose history was not read from the store yet: their first known renewal looks new. */
  historyPending: number;
  reported: ReportedRevenue | null;
  /** Why `reported` is null. */
  reportedMissing:
    | 'sandbox'
    | 'store_not_connected'
    | 'app_not_linked'
    | 'not_by_offer_or_kind'
    | 'not_of_this_store'
    | null;
  computedAt: string;
};

export type PurchaseSettings = {
  /** What happens when another user presents the same transaction. */
  ownership: 'transfer' | 'keep' | 'share';
  sandboxAccess: 'anybody' | 'listed' | 'nobody';
  /** User ids, anonymous ids and account tokens that sandbox purchases entitle. */
  sandboxListed: string[];
  forwardUrl: string | null;
};

export type PurchaseSettingsChange = {
  /** What happens when another user presents the same transaction. */
  ownership?: 'transfer' | 'keep' | 'share';
  sandboxAccess?: 'anybody' | 'listed' | 'nobody';
  /** User ids, anonymous ids and account tokens that sandbox purchases entitle. */
  sandboxListed?: string[];
  forwardUrl?: string | null;
};

export type PurchasesOverview = {
  appId: string;
  from: string;
  to: string;
  /** Days of UTC, `from` and `to` included. */
  days: number;
  /** The end of the window, or now. */
  asOf: string;
  currency: string;
  environment: 'Production' | 'Sandbox';
  /** `transactions`: what the store signed, live and by person; `reports`: its daily report. */
  source: 'transactions' | 'reports';
  /** How many of the subscribers that the store reports are known by name; null in the sandbox and without a report of the last five weeks. */
  reported: {
    /** The newest reported Pacific day that was over by `asOf`. */
    day: string;
    /** Paid subscriptions of the app by that report. */
    paid: number;
    /** Paid ones by transactions at the end of that day. */
    active: number;
    /** Those of `active` that somebody holds: a user, an anonymous id, an account token. */
    known: number;
    /** `known` ÷ `paid`, at most 1; null under fifty. */
    share: number | null;
  } | null;
  /** Paid subscriptions: in a paid period or in the grace period of one; neither trials nor free offers. */
  active: number;
  /** Each active one's customer price for a month, before commission and tax. */
  mrrMinor: number;
  /** Of the paid ones and the trials, those in the grace period. */
  grace: number;
  trials: number;
  freeOffers: number;
  /** Not active: the store retries the payment. */
  billingRetry: number;
  /** MRR by what the store pays out: each active one’s × (proceeds ÷ customer price) of the same product, country and currency over the last 35 report days. Null where no report says it. */
  mrrProceedsMinor: number | null;
  /** What `mrrProceedsMinor` leaves out; null where it leaves out nothing. */
  mrrProceedsMissing: {
    /** `not_in_reports`: no report has the product, country and currency of some of them; else no report has any, and why. */
    reason: 'sandbox' | 'store_not_connected' | 'app_not_linked' | 'no_report' | 'not_in_reports';
    /** Active ones with MRR but without a share. */
    active: number;
    /** Minor units of the currency. */
    mrrMinor: number;
  } | null;
  /** Active ones whose auto-renew is off. */
  willNotRenew: number;
  /** start + new + returned − churned = end. */
  subscriptions: {
    start: number;
    /** Paid for the first time. */
    'new': number;
    /** Paid again after the end, billing retry included. */
    returned: number;
    /** Ended: by expiry, end of grace or refund. */
    churned: number;
    end: number;
    /** Paid within the grace period: no movement. */
    recovered: number;
    /** Whose price for a month grew: no movement of the count. */
    expanded: number;
    /** Whose price for a month shrank: no movement of the count. */
    contracted: number;
  };
  /** start + new + returned + expansion − contraction − churned + exchange = end. */
  mrr: {
    /** Minor units of the currency. */
    start: number;
    /** Minor units of the currency. */
    'new': number;
    /** Minor units of the currency. */
    returned: number;
    /** Minor units of the currency. */
    expansion: number;
    /** Minor units of the currency. */
    contraction: number;
    /** Minor units of the currency. */
    churned: number;
    /** What exchange rates changed at renewals, of either sign: no movement of the subscription. */
    exchange: number;
    /** Minor units of the currency. */
    end: number;
  };
  /** Paid subscriptions that ended ÷ active at the start, by duration, never blended. */
  churn: {
    duration:
      | '1 day'
      | '3 days'
      | '1 week'
      | '2 weeks'
      | '4 weeks'
      | '1 month'
      | '2 months'
      | '3 months'
      | '6 months'
      | '1 year';
    activeAtStart: number;
    churned: number;
    voluntary: number;
    billing: number;
    refund: number;
    other: number;
    /** By the duration that they had left. */
    returned: number;
    /** Null under fifty. */
    rate: number | null;
    /** Null under fifty. */
    voluntaryRate: number | null;
    /** Null under fifty. */
    billingRate: number | null;
    /** Without those that returned; null under fifty. */
    netRate: number | null;
  }[];
  trialConversion: {
    /** Of the days with nothing pending. */
    started: number;
    converted: number;
    /** Null under fifty. */
    rate: number | null;
    cohorts: {
      day: string;
      started: number;
      /** The next period was paid and not refunded. */
      converted: number;
      /** Renewing and not over. */
      pending: number;
      /** Auto-renew off, or ended. */
      abandoned: number;
    }[];
  };
  refunds: {
    /** Of all that was paid, one-time purchases included, and of each apart. */
    byPurchaseDay: {
      /** Paid transactions bought in the window. */
      paid: number;
      /** Those of them refunded since: the past changes. */
      refunded: number;
      /** Null under fifty. */
      refundRate: number | null;
      subscriptions: {
        /** Paid transactions bought in the window. */
        paid: number;
        /** Those of them refunded since: the past changes. */
        refunded: number;
        /** Null under fifty. */
        refundRate: number | null;
      };
      oneTime: {
        /** Paid transactions bought in the window. */
        paid: number;
        /** Those of them refunded since: the past changes. */
        refunded: number;
        /** Null under fifty. */
        refundRate: number | null;
      };
    };
    byRefundDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
    /** What the store asked about refunds in the window, and what came of it. */
    requests: {
      asked: number;
      waiting: number;
      answered: number;
      refunded: number;
      declined: number;
      reversed: number;
    };
  };
  byDay: {
    day: string;
    /** False for the day that is not over. */
    isComplete: boolean;
    /** Paid subscriptions: in a paid period or in the grace period of one; neither trials nor free offers. */
    active: number;
    /** Each active one's customer price for a month, before commission and tax. */
    mrrMinor: number;
    /** Of the paid ones and the trials, those in the grace period. */
    grace: number;
    trials: number;
    freeOffers: number;
    /** Not active: the store retries the payment. */
    billingRetry: number;
    /** start + new + returned − churned = end. */
    subscriptions: {
      start: number;
      /** Paid for the first time. */
      'new': number;
      /** Paid again after the end, billing retry included. */
      returned: number;
      /** Ended: by expiry, end of grace or refund. */
      churned: number;
      end: number;
      /** Paid within the grace period: no movement. */
      recovered: number;
      /** Whose price for a month grew: no movement of the count. */
      expanded: number;
      /** Whose price for a month shrank: no movement of the count. */
      contracted: number;
    };
    /** start + new + returned + expansion − contraction − churned + exchange = end. */
    mrr: {
      /** Minor units of the currency. */
      start: number;
      /** Minor units of the currency. */
      'new': number;
      /** Minor units of the currency. */
      returned: number;
      /** Minor units of the currency. */
      expansion: number;
      /** Minor units of the currency. */
      contraction: number;
      /** Minor units of the currency. */
      churned: number;
      /** What exchange rates changed at renewals, of either sign: no movement of the subscription. */
      exchange: number;
      /** Minor units of the currency. */
      end: number;
    };
    refunds: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
  }[];
  byProduct: {
    productId: string;
    /** Paid subscriptions: in a paid period or in the grace period of one; neither trials nor free offers. */
    active: number;
    /** Each active one's customer price for a month, before commission and tax. */
    mrrMinor: number;
    /** Of the paid ones and the trials, those in the grace period. */
    grace: number;
    trials: number;
    freeOffers: number;
    /** Not active: the store retries the payment. */
    billingRetry: number;
    subscriptions: {
      start: number;
      /** Paid for the first time. */
      'new': number;
      /** Paid again after the end, billing retry included. */
      returned: number;
      /** Ended: by expiry, end of grace or refund. */
      churned: number;
      end: number;
      /** Paid within the grace period: no movement. */
      recovered: number;
      /** Whose price for a month grew: no movement of the count. */
      expanded: number;
      /** Whose price for a month shrank: no movement of the count. */
      contracted: number;
      switchedIn: number;
      switchedOut: number;
    };
    mrr: {
      /** Minor units of the currency. */
      start: number;
      /** Minor units of the currency. */
      'new': number;
      /** Minor units of the currency. */
      returned: number;
      /** Minor units of the currency. */
      expansion: number;
      /** Minor units of the currency. */
      contraction: number;
      /** Minor units of the currency. */
      churned: number;
      /** What exchange rates changed at renewals, of either sign: no movement of the subscription. */
      exchange: number;
      /** Minor units of the currency. */
      end: number;
      /** Minor units of the currency. */
      switchedIn: number;
      /** Minor units of the currency. */
      switchedOut: number;
    };
  }[];
  byCountry: {
    /** The storefront's three letters, or `unknown`. */
    country: string;
    /** Paid subscriptions: in a paid period or in the grace period of one; neither trials nor free offers. */
    active: number;
    /** Each active one's customer price for a month, before commission and tax. */
    mrrMinor: number;
    /** Of the paid ones and the trials, those in the grace period. */
    grace: number;
    trials: number;
    freeOffers: number;
    /** Not active: the store retries the payment. */
    billingRetry: number;
    subscriptions: {
      start: number;
      /** Paid for the first time. */
      'new': number;
      /** Paid again after the end, billing retry included. */
      returned: number;
      /** Ended: by expiry, end of grace or refund. */
      churned: number;
      end: number;
      /** Paid within the grace period: no movement. */
      recovered: number;
      /** Whose price for a month grew: no movement of the count. */
      expanded: number;
      /** Whose price for a month shrank: no movement of the count. */
      contracted: number;
      switchedIn: number;
      switchedOut: number;
    };
    mrr: {
      /** Minor units of the currency. */
      start: number;
      /** Minor units of the currency. */
      'new': number;
      /** Minor units of the currency. */
      returned: number;
      /** Minor units of the currency. */
      expansion: number;
      /** Minor units of the currency. */
      contraction: number;
      /** Minor units of the currency. */
      churned: number;
      /** What exchange rates changed at renewals, of either sign: no movement of the subscription. */
      exchange: number;
      /** Minor units of the currency. */
      end: number;
      /** Minor units of the currency. */
      switchedIn: number;
      /** Minor units of the currency. */
      switchedOut: number;
    };
  }[];
  /** Where anything of these figures is of Google Play. */
  byStore?: {
    store: 'app_store' | 'google_play';
    /** Paid subscriptions: in a paid period or in the grace period of one; neither trials nor free offers. */
    active: number;
    /** Each active one's customer price for a month, before commission and tax. */
    mrrMinor: number;
    /** Of the paid ones and the trials, those in the grace period. */
    grace: number;
    trials: number;
    freeOffers: number;
    /** Not active: the store retries the payment. */
    billingRetry: number;
    subscriptions: {
      start: number;
      /** Paid for the first time. */
      'new': number;
      /** Paid again after the end, billing retry included. */
      returned: number;
      /** Ended: by expiry, end of grace or refund. */
      churned: number;
      end: number;
      /** Paid within the grace period: no movement. */
      recovered: number;
      /** Whose price for a month grew: no movement of the count. */
      expanded: number;
      /** Whose price for a month shrank: no movement of the count. */
      contracted: number;
      switchedIn: number;
      switchedOut: number;
    };
    mrr: {
      /** Minor units of the currency. */
      start: number;
      /** Minor units of the currency. */
      'new': number;
      /** Minor units of the currency. */
      returned: number;
      /** Minor units of the currency. */
      expansion: number;
      /** Minor units of the currency. */
      contraction: number;
      /** Minor units of the currency. */
      churned: number;
      /** What exchange rates changed at renewals, of either sign: no movement of the subscription. */
      exchange: number;
      /** Minor units of the currency. */
      end: number;
      /** Minor units of the currency. */
      switchedIn: number;
      /** Minor units of the currency. */
      switchedOut: number;
    };
  }[];
  /** Shared by the family, apart from every other figure. */
  familyShared: number;
  /** What does not renew, apart from every other figure. */
  nonRenewing: {
    purchases: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
    refunds: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
  };
  /** Counted, but in no amount: there is no rate for the day of purchase. */
  unconverted: { currency: string; active: number; transactions: number }[];
  /** Active ones whose price the store did not sign. */
  withoutPrice: number;
  /** Subscriptions whose history was not read from the store yet: their first known renewal looks new. */
  historyPending: number;
  computedAt: string;
};

export type Question =
  | SeriesQuestion
  | FunnelQuestion
  | RetentionQuestion
  | MeasuresQuestion
  | LifecycleQuestion
  | PathsQuestion;

export type QuestionPeopleBody = {
  question: Question;
  figure: FigureOfAnswer;
  cursor?: string;
  limit?: number;
};

/** From one full hour of the zone to another, over midnight too. What happens meanwhile is told at their end. */
export type QuietHours = {
  /** IANA name, such as Europe/Berlin. */
  timezone: string;
  fromHour: number;
  toHour: number;
};

export type ReceivedInvitation = {
  organizationId: string;
  organizationName: string;
  inviterEmail: string | null;
  email: string;
  /** What the member may do */
  role: 'owner' | 'admin' | 'member' | 'viewer';
  expiresAt: string;
};

export type ReceivedNotification = { received: true };

export type RecentEvent = {
  name: string;
  occurredAt: string;
  receivedAt: string;
  /** As the client sent it. */
  ts: string | null;
  /** Why occurredAt is not ts: shifted, no_ts or too_old; null where it is. */
  timeFlag: string | null;
  personId: string;
  anonymousId: string;
  userId: string | null;
  sessionId: string | null;
  platform: string | null;
  appVersion: string | null;
  osVersion: string | null;
  locale: string | null;
  country: string | null;
  props: Record<string, unknown> | null;
  /** The client's id of the event. */
  id: string | null;
  /** Of the key that it was sent with. */
  environment?: 'production' | 'development';
};

export type RecentPurchase = {
  /** By the store's clock. */
  at: string;
  /** `bought` and `trial_started`: a new subscriber; `refunded`: also of a one-time purchase; `payment_failed`: a renewal that the store could not charge. */
  kind: 'bought' | 'trial_started' | 'refunded' | 'payment_failed';
  /** What happened, in words, as in a customer's history. */
  sentence: string;
  productId: string;
  /** The user who holds the purchase; its original transaction id while nobody does. */
  customerId: string;
  originalTransactionId: string;
  /** Minor units of `currency`: what was paid, 0 of a trial; of a refund what was given back; of a failed payment what it is about. Null where the store did not say. */
  amountMinor: number | null;
  currency: string | null;
  /** Of a failed payment: until when there is access meanwhile. */
  graceExpiresAt: string | null;
};

export type RecentPurchases = {
  since: string;
  until: string;
  /** Of all changes, also those beyond the limit. */
  totals: {
    /** `bought` and `trial_started`: a new subscriber; `refunded`: also of a one-time purchase; `payment_failed`: a renewal that the store could not charge. */
    kind: 'bought' | 'trial_started' | 'refunded' | 'payment_failed';
    count: number;
    amounts: { currency: string; amountMinor: number }[];
    /** Counted, but in no amount. */
    withoutPrice: number;
  }[];
  /** Newest first. */
  changes: RecentPurchase[];
  /** Changes beyond the limit, which are older. */
  more: number;
};

export type Recommendation = {
  code:
    | 'events_not_arriving'
    | 'store_days_missing'
    | 'too_few_people'
    | 'biggest_leak'
    | 'paywall_before_value'
    | 'trial_not_offered'
    | 'conversion_falling'
    | 'version_reviews'
    | 'version_conversion'
    | 'refunds_rising'
    | 'country_buys_but_does_not_convert'
    | 'consent_rescinded'
    | 'external_purchase_token';
  severity: 'info' | 'warn' | 'act';
  title: string;
  detail: string;
  metric: RecommendationMetric;
  /** The `index` of a step of the default funnel. */
  step: number | null;
  comparison?: VersionComparison;
};

/** The figure that the recommendation rests on. */
export type RecommendationMetric = {
  name: string;
  value: number;
  /** What the value was held against. */
  threshold: number;
  unit: 'people' | 'events' | 'hours' | 'days' | 'units' | 'rate' | 'stars';
};

export type RefreshPurchaseCustomerBody = {
  /** A user id, or the original transaction id of a purchase that nobody holds. */
  customerId: string;
};

export type RefreshedStoreApps = { count: number };

export type RefundAnswers = {
  /** `off`: the store hears nothing. `neutral`: what was used, and no wish; `decline`: please not; `grant`: please, of a part that was used the rest (no wish at Google Play, which gives back all or nothing). */
  answers: 'off' | 'neutral' | 'decline' | 'grant';
  /** That the customers of the app consented to their use being told to the store. Without it nothing is sent, whatever `answers` says. */
  customersConsent: boolean;
  /** Whether customers could try it before they bought it. */
  sampleContentProvided: boolean;
  products: RefundProduct[];
  /** Those who are answered otherwise; null is as for everybody. */
  people: RefundAnswersOfPerson[];
};

export type RefundAnswersChange = {
  /** `off`: the store hears nothing. `neutral`: what was used, and no wish; `decline`: please not; `grant`: please, of a part that was used the rest (no wish at Google Play, which gives back all or nothing). */
  answers?: 'off' | 'neutral' | 'decline' | 'grant';
  /** That the customers of the app consented to their use being told to the store. Without it nothing is sent, whatever `answers` says. */
  customersConsent?: boolean;
  /** Whether customers could try it before they bought it. */
  sampleContentProvided?: boolean;
  products?: RefundProduct[];
};

export type RefundAnswersOfPerson = {
  /** 1 to 128 characters (Unicode code points) */
  userId: string;
  /** `off`: the store hears nothing. `neutral`: what was used, and no wish; `decline`: please not; `grant`: please, of a part that was used the rest (no wish at Google Play, which gives back all or nothing). */
  answers: 'off' | 'neutral' | 'decline' | 'grant' | null;
  customersConsent: boolean | null;
};

export type RefundAnswersOfPersonChange = {
  /** 1 to 128 characters (Unicode code points) */
  userId: string;
  /** `off`: the store hears nothing. `neutral`: what was used, and no wish; `decline`: please not; `grant`: please, of a part that was used the rest (no wish at Google Play, which gives back all or nothing). */
  answers?: 'off' | 'neutral' | 'decline' | 'grant' | null;
  customersConsent?: boolean | null;
};

export type RefundProduct = {
  /** 1 to 256 characters (Unicode code points) */
  productId: string;
  /** How much of a purchase counts as used: nothing, half, all, or by the events of the customer since. Of a product without a rule the store is told nothing. */
  used: 'none' | 'part' | 'full' | 'events';
  /** Of `events`: one for each use. */
  eventName?: string;
  /** Of `events`: how many uses one purchase has. */
  uses?: number;
};

export type RefundRequest = {
  /** The store's id of the notification that asked. */
  id: string;
  /** Left out of requests of the App Store. */
  store?: 'google_play';
  environment: 'Production' | 'Sandbox';
  /** The order, of Google Play. */
  transactionId: string;
  /** Empty until the purchase of an order is found. */
  productId: string;
  userId: string | null;
  /** The customer's, in the store's word. */
  reason: string | null;
  askedAt: string;
  answerBy: string;
  state: 'waiting' | 'answered' | 'not_answered';
  /** Why it was not answered. */
  why:
    | 'off'
    | 'no_consent'
    | 'family_shared'
    | 'assigned'
    | 'decided'
    | 'refused'
    | 'too_late'
    | null;
  /** The same as a sentence, or what it waits for. */
  message: string | null;
  /** The store's number of its last refusal. */
  storeCode: number | null;
  attempts: number;
  answer: {
    delivery: 'delivered' | 'quality_issue' | 'wrong_item' | 'server_outage' | 'other';
    sampleContentProvided: boolean;
    /** 40000 is 40 %. */
    usedMillipercent: number | null;
    preference: 'decline' | 'grant_full' | 'grant_prorated' | null;
    /** Google Play: uses sent as evidence, each with its time. */
    events?: number;
  } | null;
  answeredAt: string | null;
  /** What the store decided; null until it says so. */
  outcome: 'refunded' | 'declined' | 'reversed' | null;
  outcomeAt: string | null;
};

export type RefundRequestsPage = {
  requests: RefundRequest[];
  /** Of all requests about this app in production. */
  counts: {
    asked: number;
    waiting: number;
    answered: number;
    refunded: number;
    declined: number;
    reversed: number;
  };
  nextCursor: string | null;
};

export type RemoveMemberBody = {
  /** 1 to 64 characters (Unicode code points) */
  memberId: string;
};

export type RenewalExtension = {
  requestIdentifier: string;
  originalTransactionId: string;
  /** The store's environment. */
  environment: 'Production' | 'Sandbox';
  days: number;
  reason: 'undeclared' | 'satisfaction' | 'outage' | 'other';
  renewsAt: string | null;
  extendedAt: string;
};

/** The store's own sales of the same dates beside the figures, and why they differ. */
export type ReportedRevenue = {
  from: string;
  to: string;
  /** What customers paid for in-app purchases and subscriptions by the store's sales reports of the same dates, Pacific days, refunds taken out on the day that the store reports them. */
  customerSpendMinor: number;
  /** What the store pays out of it. */
  proceedsMinor: number;
  /** `customerSpendMinor` less `proceedsMinor`. */
  commissionAndTaxMinor: number;
  /** Days that no report says anything of yet. */
  daysMissing: number;
  /** `totals.netMinor` less `customerSpendMinor`; the sum of what `explained` says of it. */
  differenceMinor: number;
  explained: {
    /** Days of the store are Pacific, ours of the window's zone. */
    daysMinor: number;
    /** Of days that no report says anything of. */
    notReportedMinor: number;
    /** Of products that the reports do not name. */
    onlySignedMinor: number;
    /** Of products that no notification or device told of, with the sign of the difference. */
    onlyReportedMinor: number;
    /** Of products and days that both have: purchases that only one of them knows, refunds that the store books on another day, rates of another day, prices that were not signed. */
    restMinor: number;
  };
};

export type RequestPasswordResetBody = {
  /** An e-mail address; upper and lower case are the same */
  email: string;
};

export type ResetPasswordBody = {
  /** 1 to 128 characters (Unicode code points) */
  token: string;
  /** 10 to 128 characters */
  newPassword: string;
};

export type RestoreFlagBody = {
  version: number;
  /** Kept in the history. */
  why?: string;
};

export type RetentionAnswer = {
  kind: 'retention';
  window: { from: string; to: string };
  interval: 'day' | 'week' | 'month';
  cohort: 'first' | 'recurring';
  criterion: 'on' | 'on_or_after';
  clock: 'calendar' | 'hours';
  timezone: string;
  environment: 'production' | 'development' | 'all';
  computedAt: string;
  dataThrough: string;
  /** Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted. */
  countedFrom?: number;
  /** Distinct people of all cohorts. */
  people: number;
  minimumPeople: 50;
  /** Of all cohorts together: with fewer than fifty people only sizes are shown. */
  verdict: 'ready' | 'too_few_people' | 'no_data';
  cohorts: {
    from: string;
    people: number;
    verdict: 'ready' | 'too_few_people' | 'no_data';
    /** The interval of the cohort is not over. */
    partial?: true;
    /** From period 1 on; null where the period is not over. Fewer than fifty people: counts without a rate. */
    periods: ({
      returned: number | null;
      rate: number | null;
      rateLow: number | null;
      rateHigh: number | null;
    } | null)[];
  }[];
  /** By period: those who returned ÷ those of the cohorts that finished it, and no rate of fewer than fifty. */
  mean: ({
    returned: number | null;
    rate: number | null;
    rateLow: number | null;
    rateHigh: number | null;
  } | null)[];
  forecast?: Forecast;
  breakdown?: {
    /** Null for all other values. */
    value: string | null;
    /** Distinct people of all cohorts. */
    people: number;
    /** Of all cohorts together: with fewer than fifty people only sizes are shown. */
    verdict: 'ready' | 'too_few_people' | 'no_data';
    cohorts: {
      from: string;
      people: number;
      verdict: 'ready' | 'too_few_people' | 'no_data';
      /** The interval of the cohort is not over. */
      partial?: true;
      /** From period 1 on; null where the period is not over. Fewer than fifty people: counts without a rate. */
      periods: ({
        returned: number | null;
        rate: number | null;
        rateLow: number | null;
        rateHigh: number | null;
      } | null)[];
    }[];
    /** By period: those who returned ÷ those of the cohorts that finished it, and no rate of fewer than fifty. */
    mean: ({
      returned: number | null;
      rate: number | null;
      rateLow: number | null;
      rateHigh: number | null;
    } | null)[];
  }[];
  /** Where the ranges of the breakdown begin. */
  bounds?: number[];
  segments?: {
    segment: string;
    is: boolean;
    /** Distinct people of all cohorts. */
    people: number;
    /** Of all cohorts together: with fewer than fifty people only sizes are shown. */
    verdict: 'ready' | 'too_few_people' | 'no_data';
    cohorts: {
      from: string;
      people: number;
      verdict: 'ready' | 'too_few_people' | 'no_data';
      /** The interval of the cohort is not over. */
      partial?: true;
      /** From period 1 on; null where the period is not over. Fewer than fifty people: counts without a rate. */
      periods: ({
        returned: number | null;
        rate: number | null;
        rateLow: number | null;
        rateHigh: number | null;
      } | null)[];
    }[];
    /** By period: those who returned ÷ those of the cohorts that finished it, and no rate of fewer than fifty. */
    mean: ({
      returned: number | null;
      rate: number | null;
      rateLow: number | null;
      rateHigh: number | null;
    } | null)[];
  }[];
};

/** What starts and what counts as coming back; any event of clients when left out. Cohorts and returns are as in the report of retention. */
export type RetentionQuestion = {
  kind: 'retention';
  start?: EventSelection;
  return?: EventSelection;
  /** Of what starts: the six values with most starts, each with the cohorts that it would have if it alone were asked for, and all others together. */
  breakdown?: string | NumberRanges;
  /** Of one: who is in it and who is not; of several: who is in each. Without a breakdown. */
  segments?: string[];
  /** Weeks begin on Monday. */
  interval?: 'day' | 'week' | 'month';
  /** first: by the first event ever; recurring: everybody with an event in the interval. */
  cohort?: 'first' | 'recurring';
  /** on: came back in that very period; on_or_after: then or later. */
  criterion?: 'on' | 'on_or_after';
  /** calendar: days of the app's zone; hours: periods of 24 hours (7 times 24 by week) from each person's own start. Not with interval=month. */
  clock?: 'calendar' | 'hours';
  /** Columns after the cohort's own; all until now when left out. */
  periods?: number;
  /** Before today, or before now for funnels. Not together with from and to. */
  days?: number;
  /** A date such as 2026-11-21 or an ISO 8601 date-time with an offset. */
  from?: string;
  /** A date is included, a date-time is not. */
  to?: string;
  /** IANA name; the app's timezone when left out. */
  timezone?: string;
  environment?: 'production' | 'development' | 'all';
};

export type RetentionReport = {
  window: { from: string; to: string };
  interval: 'day' | 'week' | 'month';
  cohort: 'first' | 'recurring';
  criterion: 'on' | 'on_or_after';
  clock: 'calendar' | 'hours';
  timezone: string;
  environment: 'production' | 'development' | 'all';
  computedAt: string;
  dataThrough: string;
  /** Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted. */
  countedFrom?: number;
  /** Distinct people of all cohorts. */
  people: number;
  minimumPeople: 50;
  /** Of all cohorts together: with fewer than fifty people only sizes are shown. */
  verdict: 'ready' | 'too_few_people' | 'no_data';
  cohorts: {
    from: string;
    people: number;
    verdict: 'ready' | 'too_few_people' | 'no_data';
    /** The interval of the cohort is not over. */
    partial?: true;
    /** From period 1 on; null where the period is not over. Fewer than fifty people: counts without a rate. */
    periods: ({
      returned: number | null;
      rate: number | null;
      rateLow: number | null;
      rateHigh: number | null;
    } | null)[];
  }[];
  /** By period: those who returned ÷ those of the cohorts that finished it, and no rate of fewer than fifty. */
  mean: ({
    returned: number | null;
    rate: number | null;
    rateLow: number | null;
    rateHigh: number | null;
  } | null)[];
  forecast?: Forecast;
  /** What the question names and the app never sent (an event, a property, a value), with the nearest that it did send. */
  hint?: string;
};

export type RevenueCohort = {
  from: string;
  /** The last day, included. */
  to: string;
  /** False for the interval that is not over. */
  isComplete: boolean;
  people: number;
  /** Until now, the unfinished period included; null under fifty. */
  netMinor: number | null;
  /** From the cohort's own interval (period 0) on, each with all before it; null where the period is not over. */
  periods: (CohortCell | null)[];
};

export type RevenueCohorts = {
  appId: string;
  by: 'first_seen' | 'first_trial' | 'first_purchase';
  interval: 'day' | 'week' | 'month';
  timezone: string;
  currency: string;
  environment: 'Production' | 'Sandbox';
  breakdown: 'platform' | 'country' | 'appVersion' | 'arm' | 'product' | 'offering' | null;
  minimumPeople: 50;
  cohorts: RevenueCohort[];
  pooled: PooledCohorts;
  /** Six values with most people, and all others. */
  groups: CohortGroup[] | null;
  /** How long subscriptions of the cohorts are paid without a gap, by Kaplan and Meier: those that still run count for as long as they are followed. Intervals: exponential Greenwood, 95 %. Null where fewer than fifty are at risk. */
  survival: SurvivalPoint[];
  money: AccountedRevenue;
  /** Purchases without an exchange rate: they count as payments of nothing. */
  unconverted: UnconvertedPurchases[];
  withoutPrice: number;
  historyPending: number;
  computedAt: string;
  /** Of the events, where they were asked. */
  dataThrough: string | null;
};

export type RevenueFigures = {
  /** Paid transactions bought in these days. */
  purchases: number;
  /** The customers' prices, before commission and tax, by the day of the purchase. */
  grossMinor: number;
  refunds: {
    /** Of what was bought in these days, since refunded: the past changes. */
    byPurchaseDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
    /** Given back in these days, whenever it was bought. */
    byRefundDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
  };
  /** `grossMinor` less `refunds.byRefundDay`. */
  netMinor: number;
  /** Of `netMinor` what the store pays out, where its reports of the last 35 days say the share of the product, country and currency; null where they say none. */
  proceedsMinor: number | null;
  /** The part of `netMinor` whose share no report says; not in `proceedsMinor`. */
  withoutShareMinor: number;
};

export type RevenuePoint = {
  from: string;
  /** The last day, included. */
  to: string;
  /** False for the interval that is not over. */
  isComplete: boolean;
  /** Paid transactions bought in these days. */
  purchases: number;
  /** The customers' prices, before commission and tax, by the day of the purchase. */
  grossMinor: number;
  refunds: {
    /** Of what was bought in these days, since refunded: the past changes. */
    byPurchaseDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
    /** Given back in these days, whenever it was bought. */
    byRefundDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
  };
  /** `grossMinor` less `refunds.byRefundDay`. */
  netMinor: number;
  /** Of `netMinor` what the store pays out, where its reports of the last 35 days say the share of the product, country and currency; null where they say none. */
  proceedsMinor: number | null;
  /** The part of `netMinor` whose share no report says; not in `proceedsMinor`. */
  withoutShareMinor: number;
};

export type RevokeSessionBody = {
  /** 1 to 64 characters (Unicode code points) */
  sessionId: string;
};

export type SavedQuestion = {
  id: string;
  appId: string;
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  question: Question;
  owner: { kind: 'user' | 'orgKey'; id: string };
  createdAt: string;
  updatedAt: string;
};

export type SavedQuestionChange = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name?: string;
  question?: Question;
};

export type ScheduledPost = {
  jobId: string;
  scheduledAt: string;
  postType: string;
  platforms: string[];
  title: string | null;
  caption: string | null;
  previewUrl: string | null;
  thumbnailUrl: string | null;
};

export type SecondFactor = {
  isOn: boolean;
  /** By an organization that the person belongs to */
  isRequired: boolean;
  recoveryCodesLeft: number;
};

export type SecondFactorBody = {
  /** The six digits that the authenticator app shows now, or a recovery code */
  code: string;
};

export type SecondFactorNeeded = {
  /** Nobody is signed in yet: `POST /v1/auth/sign-in/second-factor` is next */
  secondFactorNeeded: true;
};

export type SeenPurchaseNotifications = {
  production: { lastNotificationAt: string | null; lastTestNotificationAt: string | null };
  sandbox: { lastNotificationAt: string | null; lastTestNotificationAt: string | null };
};

export type Segment = {
  id: string;
  appId: string;
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  rule: SegmentRule;
  author: { kind: 'user' | 'orgKey'; id: string };
  createdAt: string;
  updatedAt: string;
};

export type SegmentChange = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name?: string;
  rule?: SegmentRule;
};

export type SegmentClause =
  | DidClause
  | DidNotClause
  | FirstSeenClause
  | ArmClause
  | EntitledClause
  | PayingClause
  | MembershipClause;

export type SegmentCount = {
  /** Everybody in the segment now. */
  people: number;
  asOf: string;
  dataThrough: string;
  /** Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted. */
  countedFrom?: number;
};

export type SegmentPreview = {
  /** Everybody in the segment now. */
  people: number;
  asOf: string;
  dataThrough: string;
  /** Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted. */
  countedFrom?: number;
  /** The first 20 by id. */
  sample: { personId: string }[];
};

/** Clauses about one person, all or any of which must hold. Only people with an event of clients are in a segment. */
export type SegmentRule = AllClauses | AnyClause;

export type SegmentUses = {
  uses: { kind: 'segment' | 'question' | 'flag'; id: string; name: string }[];
};

export type SelectedEvents = {
  /** Any event of clients when left out. */
  events?: string[];
  where?: Conditions;
};

/** Without breakdown the series are in the order of the question, and `key` says their events. Of two dimensions each pair is a series, and only pairs with events. */
export type SeriesAnswer = {
  kind: 'series';
  window: {
    from: string;
    to: string;
    /** Where the last interval that is over ends: totals and changes end here. */
    finishedThrough: string;
    previousFrom: string | null;
  };
  interval: 'hour' | 'day' | 'week' | 'month';
  timezone: string;
  environment: 'production' | 'development' | 'all';
  computedAt: string;
  dataThrough: string;
  /** Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted. */
  countedFrom?: number;
  totals: {
    /** Distinct people of the intervals that are over. */
    people: number;
    events: number;
    previousPeople: number | null;
    previousEvents: number | null;
    /** Against the window before: 0.1 is ten percent more. Null without comparison and where fewer than fifty people were active before. */
    peopleChange: number | null;
    /** Against the window before: 0.1 is ten percent more. Null without comparison and where fewer than fifty people were active before. */
    eventsChange: number | null;
  };
  /** Of all series together. People are distinct, so neither intervals nor series add up to the totals. */
  points: {
    from: string;
    /** Distinct people of the interval. */
    people: number;
    events: number;
    previousPeople?: number;
    previousEvents?: number;
    /** The interval is not over; it is in no total and no change. */
    partial?: true;
  }[];
  /** Why no change is given. */
  notice?: string;
  series: {
    /** The name or value; `other` for all other values. */
    key: string;
    /** All other values: not the value of an event that says `other`. */
    rest?: true;
    totals: {
      /** Distinct people of the intervals that are over. */
      people: number;
      events: number;
      previousPeople: number | null;
      previousEvents: number | null;
      /** Against the window before: 0.1 is ten percent more. Null without comparison and where fewer than fifty people were active before. */
      peopleChange: number | null;
      /** Against the window before: 0.1 is ten percent more. Null without comparison and where fewer than fifty people were active before. */
      eventsChange: number | null;
    };
    points: {
      from: string;
      /** Distinct people of the interval. */
      people: number;
      events: number;
      previousPeople?: number;
      previousEvents?: number;
      /** The interval is not over; it is in no total and no change. */
      partial?: true;
    }[];
    /** The value of the second dimension. */
    crossed?: { key: string; rest?: true };
  }[];
  /** Of each dimension. */
  breakdown?: {
    /** Values that `other` is of. */
    others: number;
    /** Where ranges begin: the same when asked for these bounds. */
    bounds?: number[];
  }[];
};

export type SeriesQuestion = {
  kind: 'series';
  /** A series each; an event may be in several. */
  series: EventSelection[];
  /** A series for each of the six values with most events, and one for the others; for each range of numbers; of two dimensions for each pair, six by six and the others of each. With one series only. */
  breakdown?: BreakdownBy | BreakdownBy[];
  /** Of one: who is in it and who is not; of several: who is in each. Without a breakdown. A series each; with one series only. */
  segments?: string[];
  /** Weeks begin on Monday. */
  interval?: 'hour' | 'day' | 'week' | 'month';
  /** With the window before: as many intervals as are over. */
  compare?: boolean;
  /** Before today, or before now for funnels. Not together with from and to. */
  days?: number;
  /** A date such as 2026-11-21 or an ISO 8601 date-time with an offset. */
  from?: string;
  /** A date is included, a date-time is not. */
  to?: string;
  /** IANA name; the app's timezone when left out. */
  timezone?: string;
  environment?: 'production' | 'development' | 'all';
};

export type ServiceBackups = {
  /** False where the operator has set no place for them (`BACKUP_TO`). */
  scheduled: boolean;
  /** Null where none are scheduled. */
  everyHours: number | null;
  /** When the last backup began that was made whole, read again and compared with its manifest: what was acknowledged before is in it. Null before the first. */
  lastVerifiedAt: string | null;
  /** When the newest attempt began. */
  lastAttemptAt: string | null;
  /** `running` also says one whose process has gone; the next attempt takes its place. */
  lastAttempt: 'running' | 'good' | 'failed' | null;
};

export type ServiceOrphanFiles = {
  /** Event files over an hour old that the catalogue does not name: left by a crash, or forgotten by a database that went back in time. They are removed after 30 days, or as many as backups are kept, if more. */
  files: number;
  /** Their size. */
  bytes: number;
  countedAt: string;
};

export type ServicePropertyColumns = {
  /** What columns of properties take, of all apps. */
  bytes: number;
  /** What they may take (`EVENTS_COLUMNS_MB`). */
  budgetBytes: number;
  /** Properties of apps that have columns, or are about to. */
  properties: number;
};

export type ServiceStatus = {
  service: string;
  /** True when every dependency answers. */
  ok: boolean;
  checkedAt: string;
  dependencies: Dependency[];
  /** The version that runs. */
  release: string;
  /** Of the disk of DATA_DIR on this host; null when it cannot be read. */
  diskFreeBytes: number | null;
  /** Where workflows can be watched; null unless the operator set it. */
  temporalUiUrl: string | null;
  backups: ServiceBackups | null;
  propertyColumns: ServicePropertyColumns | null;
  orphanFiles: ServiceOrphanFiles | null;
  work: ServiceWorkKind[] | null;
};

export type ServiceWorkKind = {
  /** A step of workflows, as the worker names it. */
  kind: string;
  lastSucceededAt: string | null;
  failingSince: string | null;
  /** Null unless it fails, for whomever. */
  waitsFor: string | null;
};

export type Session = {
  user: User;
  expiresAt: string;
  activeOrganizationId: string | null;
  role: 'owner' | 'admin' | 'member' | 'viewer' | null;
  /** The active organization asks for a second factor, which this account has not; until it has, the organization is closed to it */
  needsSecondFactor: boolean;
  /** The active organization is closed to this session: it is opened by its own sign-in (`GET /v1/auth/oidc/start`) */
  needsCompany: boolean;
  /** Signed in by the provider of an organization, which opens no other */
  byCompany: boolean;
};

export type SetAccountTokenBody = {
  /** 1 to 64 characters (Unicode code points) */
  originalTransactionId: string;
  /** The store's environment. */
  environment?: 'Production' | 'Sandbox';
  /** A UUID. It takes the place of the one before. */
  appAccountToken: string;
};

export type SetActiveOrganizationBody = {
  /** 1 to 64 characters (Unicode code points) */
  organizationId: string | null;
};

export type SetCondition = {
  /** name, platform, appVersion, osVersion, locale, country, session, or prop:NAME for a property; first: before it for that of the person's first event; arm for the arm of an experiment. */
  field: string;
  op: 'isSet' | 'isNotSet';
};

export type ShipExperimentArmBody = { armId: string };

export type ShippedArm = {
  armId: string;
  at: string;
  /** Who made the arm’s onboarding the default. */
  by: { kind: 'user' | 'orgKey'; id: string };
};

export type SignInBody = {
  /** An e-mail address; upper and lower case are the same */
  email: string;
  /** 1 to 128 characters (Unicode code points) */
  password: string;
  /** False: the session ends with the browser */
  rememberMe?: boolean;
};

export type SignInProvider = {
  /** To be registered at the issuer */
  redirectUri: string;
  /** Its back-channel logout */
  logoutUri: string;
  /** Where a sign-in begins */
  startUri: string;
  provider: KnownSignInProvider | null;
};

export type SignInProviderBody = {
  /** Address of the issuer, as its discovery document has it */
  issuer: string;
  /** 1 to 256 characters (Unicode code points) */
  clientId: string;
  /** Of the mail addresses that may sign in; subdomains are others */
  domains: string[];
  /** Claim with the names or ids of the groups */
  groupsClaim: string;
  /** Who is in several has the strongest role */
  roles: {
    /** 1 to 256 characters (Unicode code points) */
    group: string;
    /** What its members may do */
    role: 'owner' | 'admin' | 'member' | 'viewer';
  }[];
  /** Of who is in none of them; null: refused */
  roleWithoutGroup: 'owner' | 'admin' | 'member' | 'viewer' | null;
  /** Sessions by password are closed to this organization; keys go on */
  isOnlyWay: boolean;
  /** Left out, the one that is kept stays */
  clientSecret?: string;
};

export type SignOfferBody = {
  /** `promotional`: signature, nonce and timestamp of a promotional offer; `promotional_jws`: the newer form, one JWS; `introductory`: a JWS that allows an introductory offer, or does not. A `win_back` offer takes no signature of a server and is refused. */
  kind: 'promotional' | 'promotional_jws' | 'introductory' | 'win_back';
  /** 1 to 256 characters (Unicode code points) */
  productId: string;
  /** Of a promotional offer: its identifier. */
  offerId?: string;
  /** Of `promotional`: the account token that the purchase is made with. */
  appAccountToken?: string;
  /** Any transaction of this customer, as StoreKit signed it: who they are. */
  signedTransaction: string;
};

export type SignOfferForCustomerBody = {
  /** `promotional`: signature, nonce and timestamp of a promotional offer; `promotional_jws`: the newer form, one JWS; `introductory`: a JWS that allows an introductory offer, or does not. A `win_back` offer takes no signature of a server and is refused. */
  kind: 'promotional' | 'promotional_jws' | 'introductory' | 'win_back';
  /** 1 to 256 characters (Unicode code points) */
  productId: string;
  /** Of a promotional offer: its identifier. */
  offerId?: string;
  /** Of `promotional`: the account token that the purchase is made with. */
  appAccountToken?: string;
  /** 1 to 128 characters (Unicode code points) */
  userId?: string;
  /** 8 to 128 characters (Unicode code points) */
  anonymousId?: string;
  /** 1 to 128 characters (Unicode code points) */
  originalTransactionId?: string;
  /** Of `introductory`: false keeps somebody from it who could have it. */
  allowIntroductoryOffer?: boolean;
};

export type SignUpBody = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  /** An e-mail address; upper and lower case are the same */
  email: string;
  /** 10 to 128 characters */
  password: string;
  /** Needed where sign-up is by invitation */
  invitationId?: string;
  /** Printed at the start of a service where nobody has an account; needed for the first one, but from the machine itself */
  firstAccountCode?: string;
};

export type SignedIn = { user: User };

export type SignedInDevice = {
  id: string;
  /** Whether it is the session of this request */
  isCurrent: boolean;
  createdAt: string;
  expiresAt: string;
  /** From where it signed in */
  address: string | null;
  /** With which program it signed in */
  userAgent: string | null;
};

export type SignedOut = { success: true };

export type SocialConnection = {
  status: 'not_connected' | 'connected';
  handle: string | null;
  displayName: string | null;
  profileImageUrl: string | null;
  connectedAt: string | null;
};

export type SocialConnections = {
  appId: string;
  photo_feed: SocialConnection;
  short_video: SocialConnection;
  lastCheckedAt: string | null;
  publisherUsername: string | null;
};

export type SqlAnswer = {
  columns: SqlColumn[];
  /** In the order of the columns. Instants are ISO 8601; decimals, and whole numbers beyond 2^53, are text. */
  rows: unknown[][];
  /** Which bound cut the answer: 10000 rows or 8388608 bytes; null when it is whole. */
  cutBy: 'rows' | 'bytes' | null;
  /** Every event received before it is in the answer; null when no event was asked. */
  dataThrough: string | null;
  durationMs: number;
  /** What held the process of this question. */
  isolation: string;
};

export type SqlColumn = {
  name: string;
  /** DuckDB's name of the type. */
  type: string;
};

export type SqlQuery = {
  id: string;
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name: string;
  sql: string;
  parameters: Record<string, string | number | boolean | null>;
  owner: { kind: 'user' | 'orgKey'; id: string };
  createdAt: string;
  updatedAt: string;
};

export type SqlQueryChange = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name?: string;
  /** One SELECT over the views of the data dictionary, as DuckDB writes it. */
  sql?: string;
  /** By name: `$plan` in the text is `plan` here, `$1` is `1`. */
  parameters?: Record<string, string | number | boolean | null>;
};

export type SqlQuestion = {
  /** One SELECT over the views of the data dictionary, as DuckDB writes it. */
  sql: string;
  /** By name: `$plan` in the text is `plan` here, `$1` is `1`. */
  parameters?: Record<string, string | number | boolean | null>;
};

export type SqlView = { name: string; meaning: string; columns: SqlViewColumn[] };

export type SqlViewColumn = { name: string; type: string; meaning: string };

export type StoreAppLink = {
  storeAppId: string;
  bundleId: string;
  name: string;
  appId: string | null;
  linkedAt: string | null;
  storeState:
    | 'not_submitted'
    | 'waiting_for_review'
    | 'in_review'
    | 'rejected'
    | 'pending_release'
    | 'live'
    | 'removed'
    | 'unknown'
    | null;
  storeVersion: string | null;
  storeCheckedAt: string | null;
};

/** The private key is never returned. */
export type StoreConnection = {
  issuerId: string;
  keyId: string;
  vendorNumber: string;
  status: 'connected' | 'invalid' | 'revoked';
  connectedAt: string;
  lastVerifiedAt: string | null;
  lastError: string | null;
  teamId: string | null;
  teamType: 'COMPANY_OR_ORGANIZATION' | 'INDIVIDUAL' | null;
};

export type StoreFunnelComparison = {
  source: 'sales' | 'subscription_events';
  /** That both sources have. */
  days: number;
  /** Of the analytics reports, on those days. */
  here: number;
  there: number;
  /** here − there. */
  difference: number;
};

export type StoreFunnelStep = {
  step: 'impression' | 'page_view' | 'download' | 'trial' | 'paid';
  /** null where no day of the window has the report. */
  count: number | null;
  other: StoreFunnelComparison | null;
};

export type StoreNotice = {
  /** The store's id of the notification. */
  id: string;
  /** The store's environment. */
  environment: 'Production' | 'Sandbox';
  kind: 'consent_rescinded' | 'external_purchase_token';
  /** The notification's subtype. */
  reason: string | null;
  /** The customer of `consent_rescinded`; null where the store named nobody, or the person was erased. */
  appTransactionId: string | null;
  /** Of `external_purchase_token`. */
  externalPurchaseId: string | null;
  tokenCreatedAt: string | null;
  /** People who hold purchases of the customer. */
  userIds: string[];
  /** People who hold purchases of the customer. */
  anonymousIds: string[];
  notifiedAt: string;
  receivedAt: string;
  resolvedAt: string | null;
};

export type StoreNoticeChange = {
  /** Whether somebody dealt with it. */
  resolved: boolean;
};

export type StoreNoticesPage = { notices: StoreNotice[]; nextCursor: string | null };

export type StoreNotification = { signedPayload: string };

export type StoreReportRequest = {
  access: 'ONGOING' | 'ONE_TIME_SNAPSHOT';
  requestedAt: string;
  /** By the store, for want of readers, or deleted there. */
  isStopped: boolean;
  triedAt: string | null;
  lastError: string | null;
};

export type StoreReportRow = {
  /** Of a snapshot of states; null for sums. */
  day: string | null;
  /** Event, download type, state or sub type, as the store writes. */
  kind: string;
  grouping: string;
  source: string;
  version: string;
  count: number;
  seconds: number;
};

export type StoreReportTable = {
  report:
    | 'engagement'
    | 'downloads'
    | 'installs'
    | 'sessions'
    | 'crashes'
    | 'subscription_state'
    | 'subscription_event';
  /** With rows. Another day is unknown, not zero. */
  days: string[];
  /** Why it is not collected. */
  lastError: string | null;
  /** The 200 largest. */
  rows: StoreReportRow[];
};

export type StoreReports = {
  from: string;
  to: string;
  requests: StoreReportRequest[];
  tables: StoreReportTable[];
  /** Events of the store’s days, not the same people: steps are no rates. */
  funnel: StoreFunnelStep[];
};

export type StoreRevenue = {
  store: 'app_store' | 'google_play';
  /** Paid transactions bought in these days. */
  purchases: number;
  /** The customers' prices, before commission and tax, by the day of the purchase. */
  grossMinor: number;
  refunds: {
    /** Of what was bought in these days, since refunded: the past changes. */
    byPurchaseDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
    /** Given back in these days, whenever it was bought. */
    byRefundDay: {
      count: number;
      /** Minor units of the currency. */
      amountMinor: number;
    };
  };
  /** `grossMinor` less `refunds.byRefundDay`. */
  netMinor: number;
  /** Of `netMinor` what the store pays out, where its reports of the last 35 days say the share of the product, country and currency; null where they say none. */
  proceedsMinor: number | null;
  /** The part of `netMinor` whose share no report says; not in `proceedsMinor`. */
  withoutShareMinor: number;
};

export type StoreReview = {
  id: string;
  rating: number;
  title: string;
  body: string;
  nickname: string;
  /** ISO 3166-1 alpha-2. */
  territory: string;
  createdAt: string;
  /** On sale when it was written; the store does not tell which one the person has. null before the first known one. */
  appVersion: string | null;
};

export type StoreReviewChange = {
  /** The last version before with 20 reviews or more. */
  appVersion: string;
  reviews: number;
  mean: number;
  /** Of a difference of means as large, by permutation of the reviews, on either side. */
  pValue: number;
  /** pValue is under 0.0005. */
  isBeyondChance: boolean;
};

export type StoreReviewSummary = {
  reviews: number;
  mean: number | null;
  /** Newest first, those with reviews. */
  versions: StoreReviewVersion[];
  /** When the store was last read to the end. */
  checkedAt: string | null;
  lastError: string | null;
};

export type StoreReviewVersion = {
  /** On sale when it was written; the store does not tell which one the person has. null before the first known one. */
  appVersion: string | null;
  onSaleFrom: string | null;
  /** Its release was seen here. Else onSaleFrom is when it was made in the store, which is earlier. */
  isSeen: boolean;
  reviews: number;
  mean: number | null;
  /** From one star to five. */
  ratings: number[];
  before: StoreReviewChange | null;
};

export type StoreReviews = {
  /** Newest first. */
  reviews: StoreReview[];
  nextCursor: string | null;
  /** When the store was last read to the end. */
  checkedAt: string | null;
  lastError: string | null;
};

export type StoreWebhook = {
  /** What the store posts to. */
  address: string;
  /** Made in the store’s account with the key; else a person enters it there. */
  isInAccount: boolean;
  /** Why it is not in the account. */
  lastError: string | null;
  rotatedAt: string;
  lastDeliveryAt: string | null;
  pingedAt: string | null;
};

export type StoreWebhookBody = { data: { type: string; id: string } };

export type StoreWebhookReceived = { received: boolean };

export type Subscriptions = {
  window: { from: string; to: string; days: number };
  freshness: Freshness;
  /** The newest day of the window with a report */
  through: string | null;
  latest: {
    /** In a paid period, at the standard price or a paid offer; no trials */
    paid: number;
    /** In a free offer: trials, free promotional offers, offer codes and win-backs */
    trials: number;
    /** In the free time that the store gives for consent to marketing */
    marketingOptIns: number;
    /** With access although the payment failed */
    gracePeriod: number;
    /** Whose payment failed and is tried again */
    billingRetry: number;
  } | null;
  series: {
    /** In a paid period, at the standard price or a paid offer; no trials */
    paid: number;
    /** In a free offer: trials, free promotional offers, offer codes and win-backs */
    trials: number;
    /** In the free time that the store gives for consent to marketing */
    marketingOptIns: number;
    /** With access although the payment failed */
    gracePeriod: number;
    /** Whose payment failed and is tried again */
    billingRetry: number;
    day: string;
    covered: boolean;
  }[];
  byProduct: {
    /** In a paid period, at the standard price or a paid offer; no trials */
    paid: number;
    /** In a free offer: trials, free promotional offers, offer codes and win-backs */
    trials: number;
    /** In the free time that the store gives for consent to marketing */
    marketingOptIns: number;
    /** With access although the payment failed */
    gracePeriod: number;
    /** Whose payment failed and is tried again */
    billingRetry: number;
    storeAppId: string;
    /** The store’s id of the subscription */
    subscriptionId: string;
    name: string;
    /** As the store writes it: `1 Month` */
    duration: string;
    /** The product id, where sales of the last weeks name it */
    sku: string | null;
    groupId: string;
  }[];
  byCountry: {
    /** In a paid period, at the standard price or a paid offer; no trials */
    paid: number;
    /** In a free offer: trials, free promotional offers, offer codes and win-backs */
    trials: number;
    /** In the free time that the store gives for consent to marketing */
    marketingOptIns: number;
    /** With access although the payment failed */
    gracePeriod: number;
    /** Whose payment failed and is tried again */
    billingRetry: number;
    key: string;
    label: string;
  }[];
  byPrice: {
    /** In a paid period, at the standard price or a paid offer; no trials */
    paid: number;
    /** In a free offer: trials, free promotional offers, offer codes and win-backs */
    trials: number;
    /** In the free time that the store gives for consent to marketing */
    marketingOptIns: number;
    /** With access although the payment failed */
    gracePeriod: number;
    /** Whose payment failed and is tried again */
    billingRetry: number;
    storeAppId: string;
    /** The store’s id of the subscription */
    subscriptionId: string;
    name: string;
    /** As the store writes it: `1 Month` */
    duration: string;
    country: string;
    currency: string;
    /** What a customer pays for one period */
    customerPriceMinor: number;
    proceedsCurrency: string;
    /** What of it is paid out */
    proceedsMinor: number;
    /** Kept from before a price change */
    preservedPrice: boolean;
  }[];
  byOffer: {
    /** In a paid period, at the standard price or a paid offer; no trials */
    paid: number;
    /** In a free offer: trials, free promotional offers, offer codes and win-backs */
    trials: number;
    /** In the free time that the store gives for consent to marketing */
    marketingOptIns: number;
    /** With access although the payment failed */
    gracePeriod: number;
    /** Whose payment failed and is tried again */
    billingRetry: number;
    plan: 'standard' | 'introductory' | 'promotional' | 'offer_code' | 'win_back';
    offerName: string;
    offerId: string;
  }[];
  /** Rows beyond the first 1000 of `byPrice` and `byOffer` */
  omitted: number;
};

export type SurvivalPoint = {
  /** Since the first payment. */
  days: number;
  /** Subscriptions that are followed for that long and were paid until then. */
  atRisk: number;
  /** Ended until then. */
  ended: number;
  survival: number | null;
  low: number | null;
  high: number | null;
};

export type SyncAnalyticsBody = { force?: boolean };

export type SyncedAnalytics = {
  checked: number;
  rowsWritten: number;
  /** Days of sales that are missing: never asked for, not published yet, or unreadable */
  daysRemaining: number;
  coveredThrough: string | null;
  stoppedBecause: string | null;
  skipped: boolean;
};

export type SyncedOrganizations = {
  organizations: number;
  synced: number;
  rowsWritten: number;
  deferred: number;
  errors: { orgId: string; message: string }[];
};

export type TestPurchaseConnectionBody = {
  appId?: string;
  /** The store's environment. */
  environment?: 'Production' | 'Sandbox';
};

export type TestedPurchaseConnection = {
  requested: true;
  appId: string;
  /** The store's environment. */
  environment: 'Production' | 'Sandbox';
  lastNotificationAt: string | null;
  lastTestNotificationAt: string | null;
};

export type TextCondition = {
  /** name, platform, appVersion, osVersion, locale, country, session, or prop:NAME for a property; first: before it for that of the person's first event; arm for the arm of an experiment. */
  field: string;
  op: 'contains' | 'beginsWith';
  /** 0 to 500 characters (Unicode code points) */
  value: string;
};

export type UnconvertedPurchases = { currency: string; purchases: number };

export type UpdateOrganizationBody = {
  /** 1 to 80 characters (Unicode code points), not only blanks */
  name?: string;
  /** 3 to 48 characters: a-z, 0-9 and hyphens */
  slug?: string;
};

export type User = { id: string; name: string; email: string; createdAt: string };

export type VerifyPlayPurchaseBody = {
  store: 'google_play';
  /** Of a subscription or a one-time purchase, as Play Billing hands it to the app. */
  purchaseToken: string;
  /** 1 to 128 characters (Unicode code points) */
  userId?: string;
  /** 8 to 128 characters (Unicode code points) */
  anonymousId?: string;
  /** The identifier of the offering in which it was bought. The first that is said of a purchase stays; cohorts of revenue break down by it. */
  offering?: string;
};

export type VerifyPurchaseBody = {
  /** The JWS that StoreKit hands to the app (`jwsRepresentation`). */
  signedTransaction: string;
  /** 1 to 128 characters (Unicode code points) */
  userId?: string;
  /** 8 to 128 characters (Unicode code points) */
  anonymousId?: string;
  /** The identifier of the offering in which it was bought. The first that is said of a purchase stays; cohorts of revenue break down by it. */
  offering?: string;
};

/** Of `version_conversion`: the version that lost, the one before it, and the later one that came back, else the newest with people enough. */
export type VersionComparison = {
  worse: VersionRate;
  before: VersionRate;
  later: VersionRate | null;
  /** `later` is surely better than `worse` again: the intervals do not touch. */
  hasRecovered: boolean;
  /** With an event of the worse version, on the last whole day of the app's timezone. */
  peopleYesterday: number;
};

export type VersionRate = {
  appVersion: string;
  /** Of the app's timezone, as its mark says; null where it was there before the window, or never of a twentieth of a day's people. */
  firstSeenOn: string | null;
  /** People who reached the step before. */
  reachedBefore: number;
  /** Those of them who reached the step. */
  people: number;
  rate: number;
  rateLow: number;
  rateHigh: number;
};

export type Watch = {
  id: string;
  appId: string;
  questionId: string;
  figure: WatchFigure;
  rule: WatchRule;
  owner: { kind: 'user' | 'orgKey'; id: string };
  /** waiting: no interval was judged yet. beyond: told, and not over yet. */
  state: 'waiting' | 'quiet' | 'beyond';
  /** End of the interval with which the state began. */
  since: string | null;
  last: WatchLook | null;
  /** Why the last look gave no answer. */
  error: string | null;
  createdAt: string;
  updatedAt: string;
};

export type WatchChange = { figure?: WatchFigure; rule?: WatchRule };

/** people or events of a series, the conversion of a funnel (0.1 is ten percent), the value of measures. */
export type WatchFigure =
  | {
      of: 'people' | 'events';
      /** Which of the series, from 1; a breakdown is left out. */
      series?: number;
    }
  | {
      of: 'conversion';
      /** From step 1 to this one; the last when left out. */
      step?: number;
    }
  | { of: 'value' };

export type WatchLook = {
  from: string;
  to: string;
  value: number | null;
  /** Distinct people behind the value. */
  people: number;
  /** What the same weekday had before; null of a threshold. */
  usual: number | null;
  /** too_few_people and too_short_a_past change no state. */
  verdict: 'beyond' | 'within' | 'too_few_people' | 'too_short_a_past';
  /** A change of the state, told once. */
  told: 'began' | 'over' | null;
  lookedAt: string;
};

/** threshold: above or below a value. change: beyond chance against the same weekday of the weeks before; never of fewer than 50 people. */
export type WatchRule =
  | { kind: 'threshold'; side: 'above' | 'below'; value: number }
  | { kind: 'change'; side?: 'above' | 'below' | 'either' };

export type Webhook = {
  id: string;
  url: string;
  events: (
    | 'app.created'
    | 'app.deleted'
    | 'entitlement.changed'
    | 'store.connection_changed'
    | 'audit.recorded'
    | 'event.received'
    | 'subscription.trial_started.v1'
    | 'subscription.trial_converted.v1'
    | 'subscription.started.v1'
    | 'subscription.renewed.v1'
    | 'subscription.product_changed.v1'
    | 'subscription.canceled.v1'
    | 'subscription.uncanceled.v1'
    | 'subscription.billing_issue.v1'
    | 'subscription.expired.v1'
    | 'purchase.completed.v1'
    | 'purchase.refunded.v1'
    | 'purchase.refund_reversed.v1'
    | 'purchase.unshared.v1'
    | 'consent.rescinded.v1'
    | 'external_purchase.token_received.v1'
  )[];
  /** Where only purchase events about some named entitlements are sent. */
  entitlements?: string[];
  /** Of the events of apps that are told */
  eventNames?: string[];
  /** Where only one in so many of these is told */
  eventOneIn?: number;
  /** When events were last left out, above 1000 an hour */
  eventsLeftOutAt?: string;
  createdAt: string;
  disabledAt: string | null;
  /** Until then deliveries carry the signature of the replaced secret too */
  previousSecretUntil: string | null;
};

export type WebhookAttempt = {
  attemptedAt: string;
  responseStatus: number | null;
  error: string | null;
  durationMs: number;
};

export type WebhookChange = {
  /** https, on the public internet */
  url?: string;
  events?: (
    | 'app.created'
    | 'app.deleted'
    | 'entitlement.changed'
    | 'store.connection_changed'
    | 'audit.recorded'
    | 'event.received'
    | 'subscription.trial_started.v1'
    | 'subscription.trial_converted.v1'
    | 'subscription.started.v1'
    | 'subscription.renewed.v1'
    | 'subscription.product_changed.v1'
    | 'subscription.canceled.v1'
    | 'subscription.uncanceled.v1'
    | 'subscription.billing_issue.v1'
    | 'subscription.expired.v1'
    | 'purchase.completed.v1'
    | 'purchase.refunded.v1'
    | 'purchase.refund_reversed.v1'
    | 'purchase.unshared.v1'
    | 'consent.rescinded.v1'
    | 'external_purchase.token_received.v1'
  )[];
  /** Names of entitlements: events of purchases are sent only where their product, or the one before it, stands under one of them. Empty for all; other events are sent as before. */
  entitlements?: string[];
  /** Names of events of apps that `event.received` tells of, which needs one; 1000 an hour at most. */
  eventNames?: string[];
  /** One in so many of these events is told, chosen by its id; 1 when left out */
  eventOneIn?: number;
  /** Switched off, events are kept as failed deliveries */
  enabled?: boolean;
};

export type WebhookDelivery = {
  id: string;
  webhookId: string;
  event:
    | 'app.created'
    | 'app.deleted'
    | 'entitlement.changed'
    | 'store.connection_changed'
    | 'audit.recorded'
    | 'event.received'
    | 'subscription.trial_started.v1'
    | 'subscription.trial_converted.v1'
    | 'subscription.started.v1'
    | 'subscription.renewed.v1'
    | 'subscription.product_changed.v1'
    | 'subscription.canceled.v1'
    | 'subscription.uncanceled.v1'
    | 'subscription.billing_issue.v1'
    | 'subscription.expired.v1'
    | 'purchase.completed.v1'
    | 'purchase.refunded.v1'
    | 'purchase.refund_reversed.v1'
    | 'purchase.unshared.v1'
    | 'consent.rescinded.v1'
    | 'external_purchase.token_received.v1'
    | 'webhook.test';
  /** The event’s own id, where its type has one */
  eventId: string | null;
  status: 'pending' | 'delivered' | 'failed';
  createdAt: string;
  finishedAt: string | null;
  attempts: WebhookAttempt[];
};

export type WebhookDeliveryPage = { deliveries: WebhookDelivery[]; nextCursor: string | null };

export type WebhookResend = {
  /** Deliveries made at or after */
  from: string;
  /** Before; now if left out */
  to?: string;
  /** `failed` when left out */
  status?: 'failed' | 'delivered' | 'any';
};

export type WebhookResent = {
  /** Deliveries on their way, 1000 at most */
  accepted: number;
  /** Where to go on: there are more of them in the range */
  nextFrom: string | null;
};

export type WebhookRotation = {
  /** How long the replaced secret signs too; 86400 when left out */
  overlapSeconds?: number;
};

export type WebhookTest = {
  event?:
    | 'app.created'
    | 'app.deleted'
    | 'entitlement.changed'
    | 'store.connection_changed'
    | 'audit.recorded'
    | 'event.received'
    | 'subscription.trial_started.v1'
    | 'subscription.trial_converted.v1'
    | 'subscription.started.v1'
    | 'subscription.renewed.v1'
    | 'subscription.product_changed.v1'
    | 'subscription.canceled.v1'
    | 'subscription.uncanceled.v1'
    | 'subscription.billing_issue.v1'
    | 'subscription.expired.v1'
    | 'purchase.completed.v1'
    | 'purchase.refunded.v1'
    | 'purchase.refund_reversed.v1'
    | 'purchase.unshared.v1'
    | 'consent.rescinded.v1'
    | 'external_purchase.token_received.v1'
    | 'webhook.test';
};

export type WebhookTested = { deliveryId: string };

/** What each method takes and gives. */
export interface Operations {
  /**
   * Is this process ready to serve? (`GET /healthz`)
   *
   * For load balancers and supervisors: 503 while the process starts or stops.
   *
   * Anybody may call it.
   */
  getHealth: { input: Record<never, never>; output: Health };
  /**
   * The dependencies of the service and what works without them (`GET /v1/status`)
   *
   * Each dependency with what its absence means for callers. Events are taken even where another dependency is away.
   *
   * For an organization key or a signed-in member.
   */
  getStatus: { input: Record<never, never>; output: ServiceStatus };
  /**
   * Prometheus metrics (loopback, or with the metrics token) (`GET /metrics`)
   *
   * In the text format of Prometheus. To everybody else the path does not exist.
   *
   * From this machine, or with the metrics token.
   */
  getMetrics: { input: Record<never, never>; output: string };
  /**
   * Check the installation (loopback, or with the metrics token) (`GET /doctor`)
   *
   * Checks everything that an operator sets up, and what this request went through, as `bun run doctor` does. It writes an object into the buckets and deletes it. To everybody else the path does not exist.
   *
   * From this machine, or with the metrics token.
   */
  getDoctor: { input: Record<never, never>; output: DoctorReport };
  /**
   * Make an account (`POST /v1/auth/sign-up/email`)
   *
   * Makes an account and signs it in. Who may: the first person always, from the machine itself or with `firstAccountCode`; then as `SIGN_UP` says, with `invitationId` where sign-up is by invitation.
   *
   * Anybody may call it.
   */
  signUp: { input: { body: SignUpBody }; output: SignedIn };
  /**
   * Sign in; sets the session cookie (`POST /v1/auth/sign-in/email`)
   *
   * Wrong passwords are limited by address and by account; a wrong address and a wrong password are answered alike. For an account with a second factor the answer is `secondFactorNeeded`, and the cookie is that of the next step.
   *
   * Anybody may call it.
   */
  signIn: { input: { body: SignInBody }; output: SignedIn | SecondFactorNeeded };
  /**
   * Sign out (`POST /v1/auth/sign-out`)
   *
   * Ends the session of this request, if there is one, and clears its cookie.
   *
   * Anybody may call it.
   */
  signOut: { input: Record<never, never>; output: SignedOut };
  /**
   * Say whether nobody has an account yet (`GET /v1/auth/first-account`)
   *
   * While `needed`, the operator may make an account, whatever `SIGN_UP` says; with the code that the start printed where `codeNeeded`.
   *
   * Anybody may call it.
   */
  getFirstAccount: { input: Record<never, never>; output: FirstAccount };
  /**
   * Read the current session, null when not signed in (`GET /v1/auth/get-session`)
   *
   * The person, their active organization, or that in `x-organization`, and their role in it. A session that is older than a day is prolonged.
   *
   * Anybody may call it.
   */
  getSession: { input: Record<never, never>; output: Session | null };
  /**
   * Have a link mailed that sets a new password (`POST /v1/auth/request-password-reset`)
   *
   * The answer does not tell whether the address has an account.
   *
   * Anybody may call it.
   */
  requestPasswordReset: { input: { body: RequestPasswordResetBody }; output: Done };
  /**
   * Set a new password with the secret of a mailed link (`POST /v1/auth/reset-password`)
   *
   * A link works once, for an hour, and ends every session of the account.
   *
   * Anybody may call it.
   */
  resetPassword: { input: { body: ResetPasswordBody }; output: Done };
  /**
   * Change the password; ends every other session (`POST /v1/auth/change-password`)
   *
   * Needs the current password. The owner of a proved address is told by mail.
   *
   * For a signed-in person.
   */
  changePassword: { input: { body: ChangePasswordBody }; output: Done };
  /**
   * List the sessions of this account (`GET /v1/auth/sessions`)
   *
   * Where this account is signed in, the newest first; at most 100.
   *
   * For a signed-in person.
   */
  listSessions: { input: Record<never, never>; output: SignedInDevice[] };
  /**
   * End one session of this account (`POST /v1/auth/revoke-session`)
   *
   * Of its own account only. One that has ended already is answered alike.
   *
   * For a signed-in person.
   */
  revokeSession: { input: { body: RevokeSessionBody }; output: Done };
  /**
   * End every other session of this account (`POST /v1/auth/revoke-other-sessions`)
   *
   * The session of this request goes on.
   *
   * For a signed-in person.
   */
  revokeOtherSessions: { input: Record<never, never>; output: Done };
  /**
   * Erase this account: name, address, survey, sessions, sign-ins and memberships (`POST /v1/auth/erase-account`)
   *
   * For good. The only owner of an organization gives it away or deletes it first. What stays, and how long, is in docs/identity.md.
   *
   * For a signed-in person.
   */
  eraseAccount: { input: { body: EraseAccountBody }; output: Done };
  /**
   * Give the second factor of a sign-in; sets the session cookie (`POST /v1/auth/sign-in/second-factor`)
   *
   * After a sign-in that answered `secondFactorNeeded`, within ten minutes, with its cookie. A code opens once; ten wrong ones in a row lock the second factor for 15 minutes.
   *
   * Anybody may call it.
   */
  signInWithCode: { input: { body: SecondFactorBody }; output: SignedIn };
  /**
   * Say whether this account has a second factor (`GET /v1/auth/second-factor`)
   *
   * And how many recovery codes are left.
   *
   * For a signed-in person.
   */
  getSecondFactor: { input: Record<never, never>; output: SecondFactor };
  /**
   * Begin with a second factor (TOTP) (`POST /v1/auth/second-factor`)
   *
   * It is on once `POST /v1/auth/second-factor/confirm` has seen a code. Asked again before that, the secret is another.
   *
   * For a signed-in person.
   */
  setUpSecondFactor: { input: { body: PasswordAgainBody }; output: NewSecondFactor };
  /**
   * Turn the second factor on, by a code of the app (`POST /v1/auth/second-factor/confirm`)
   *
   * The session of this request goes on under a new cookie; all others end.
   *
   * For a signed-in person.
   */
  confirmSecondFactor: { input: { body: ConfirmSecondFactorBody }; output: Done };
  /**
   * Make new recovery codes; the former open nothing any more (`POST /v1/auth/second-factor/recovery-codes`)
   *
   * Needs the password and a code, or a recovery code. They are shown once.
   *
   * For a signed-in person.
   */
  renewRecoveryCodes: { input: { body: PasswordAndCodeBody }; output: NewRecoveryCodes };
  /**
   * Turn the second factor off (`POST /v1/auth/second-factor/remove`)
   *
   * Needs the password and a code, or a recovery code. Whoever has lost both asks the operator: `bun run admin second-factor remove`.
   *
   * For a signed-in person.
   */
  removeSecondFactor: { input: { body: PasswordAndCodeBody }; output: Done };
  /**
   * List the organizations that you belong to (`GET /v1/auth/organization/list`)
   *
   * Oldest membership first.
   *
   * For a signed-in person.
   */
  listOrganizations: { input: { query?: { app?: string } }; output: Organization[] };
  /**
   * Make an organization, which becomes the active one (`POST /v1/auth/organization/create`)
   *
   * Its maker is its owner. One person is in at most 50 organizations; an account without a proved address makes at most 3.
   *
   * For a signed-in person.
   */
  createOrganization: { input: { body: CreateOrganizationBody }; output: Organization };
  /**
   * Change the name or slug of the active organization (`POST /v1/auth/organization/update`)
   *
   * What is left out stays; a slug is unique over all organizations.
   *
   * For a signed-in member who is owner or admin.
   */
  updateOrganization: { input: { body: UpdateOrganizationBody }; output: Organization };
  /**
   * Choose the organization that this session works in (`POST /v1/auth/organization/set-active`)
   *
   * null: none. Every route of an organization then answers for the chosen one.
   *
   * For a signed-in person.
   */
  setActiveOrganization: { input: { body: SetActiveOrganizationBody }; output: Session | null };
  /**
   * Say what the active organization asks of its members (`GET /v1/auth/organization/security`)
   *
   * Without a setting nothing.
   *
   * For a signed-in member.
   */
  getOrganizationSecurity: { input: Record<never, never>; output: OrganizationSecurity };
  /**
   * Require a second factor of every member (`PUT /v1/auth/organization/security`)
   *
   * Members without one are refused at once, until they have one; keys go on. An owner who requires it has one.
   *
   * For a signed-in member who is owner.
   */
  setOrganizationSecurity: {
    input: { body: OrganizationSecurityBody };
    output: OrganizationSecurity;
  };
  /**
   * Leave an organization; its last owner cannot (`POST /v1/auth/organization/leave`)
   *
   * Keys that the person made stay: they belong to the organization.
   *
   * For a signed-in person.
   */
  leaveOrganization: { input: { body: LeaveOrganizationBody }; output: Done };
  /**
   * By which OpenID Connect provider members sign in (`GET /v1/auth/organization/provider`)
   *
   * And the addresses to register there. The client secret is not shown.
   *
   * For a signed-in member who is owner.
   */
  getSignInProvider: { input: Record<never, never>; output: SignInProvider };
  /**
   * Set the OpenID Connect provider of the active organization (`PUT /v1/auth/organization/provider`)
   *
   * Its discovery document is read first, and what is wrong is said. Another issuer or client ends the sessions that came by the former. Only who came by it makes it the only way.
   *
   * For a signed-in member who is owner.
   */
  setSignInProvider: { input: { body: SignInProviderBody }; output: SignInProvider };
  /**
   * Sign in by passwords again (`DELETE /v1/auth/organization/provider`)
   *
   * Ends the sessions that came by the provider. Accounts and memberships stay.
   *
   * For a signed-in member who is owner.
   */
  deleteSignInProvider: { input: Record<never, never>; output: Done };
  /**
   * Go to the provider of an organization to sign in (`GET /v1/auth/oidc/start`)
   *
   * For browsers: leads to the provider, or back to the console with the reason.
   *
   * Anybody may call it.
   */
  startCompanySignIn: { input: { query: { organization: string } }; output: undefined };
  /**
   * Join your account to the sign-in of an organization (`POST /v1/auth/oidc/join`)
   *
   * For browsers: go to `location`, in the same one and within ten minutes. Whoever signs in there has to have the address of this account, which then opens the organization by its provider too, and is told by mail.
   *
   * For a signed-in person.
   */
  joinCompany: { input: { body: JoinCompanyBody }; output: JoinCompanyStarted };
  /**
   * Come back from the provider; sets the session cookie (`GET /v1/auth/oidc/callback/{organizationId}`)
   *
   * For browsers, within ten minutes of the start, in the same one. Leads to the console, signed in, or with the reason behind `#refused=`.
   *
   * Anybody may call it.
   */
  finishCompanySignIn: {
    input: {
      organizationId: string;
      query?: {
        code?: string;
        state?: string;
        iss?: string;
        error?: string;
        error_description?: string;
        error_uri?: string;
        session_state?: string;
      };
    };
    output: undefined;
  };
  /**
   * Sign out whom the provider has signed out (`POST /v1/auth/oidc/backchannel-logout/{organizationId}`)
   *
   * OpenID Connect Back-Channel Logout: a form with the `logout_token` of the issuer.
   *
   * Anybody may call it.
   */
  endCompanySessions: {
    input: { organizationId: string; body: BackChannelLogoutBody };
    output: Done;
  };
  /**
   * List the members of the active organization (`GET /v1/auth/organization/list-members`)
   *
   * Oldest membership first.
   *
   * For a signed-in member.
   */
  listMembers: { input: Record<never, never>; output: Member[] };
  /**
   * Take a member out of the active organization (`POST /v1/auth/organization/remove-member`)
   *
   * Their sessions lose the organization at once. Only an owner removes an owner, and the last owner stays.
   *
   * For a signed-in member who is owner or admin.
   */
  removeMember: { input: { body: RemoveMemberBody }; output: Done };
  /**
   * Give a member another role (`POST /v1/auth/organization/update-member-role`)
   *
   * Only an owner makes or changes an owner, and the last owner stays one.
   *
   * For a signed-in member who is owner or admin.
   */
  updateMemberRole: { input: { body: ChangeMemberRoleBody }; output: Member };
  /**
   * List the open invitations, without their secrets (`GET /v1/auth/organization/list-invitations`)
   *
   * Newest first, those of the last 48 hours.
   *
   * For a signed-in member who is owner or admin.
   */
  listInvitations: { input: Record<never, never>; output: Invitation[] };
  /**
   * Invite somebody; the secret is mailed, or else shown this once (`POST /v1/auth/organization/invite-member`)
   *
   * Lasts 48 hours; inviting again ends the earlier invitation. Where mail works, only the invited person sees the secret.
   *
   * For a signed-in member who is owner or admin.
   */
  inviteMember: { input: { body: InviteMemberBody }; output: NewInvitation };
  /**
   * End the open invitation to an address (`POST /v1/auth/organization/cancel-invitation`)
   *
   * Its secret no longer works.
   *
   * For a signed-in member who is owner or admin.
   */
  cancelInvitation: { input: { body: CancelInvitationBody }; output: Done };
  /**
   * Read an invitation to your address (`GET /v1/auth/organization/get-invitation`)
   *
   * For the person it was sent to, by its secret.
   *
   * For a signed-in person.
   */
  getInvitation: { input: { query: { id: string } }; output: ReceivedInvitation };
  /**
   * Read who invites to what (`POST /v1/auth/organization/read-invitation`)
   *
   * For whoever holds the secret, before they sign in or make an account.
   *
   * Anybody may call it.
   */
  readInvitation: { input: { body: AnswerInvitationBody }; output: OfferedInvitation };
  /**
   * Join the organization of an invitation (`POST /v1/auth/organization/accept-invitation`)
   *
   * It becomes the active organization of this session.
   *
   * For a signed-in person.
   */
  acceptInvitation: { input: { body: AnswerInvitationBody }; output: Session | null };
  /**
   * Turn an invitation down (`POST /v1/auth/organization/reject-invitation`)
   *
   * For the person it was sent to, by its secret.
   *
   * For a signed-in person.
   */
  rejectInvitation: { input: { body: AnswerInvitationBody }; output: Done };
  /**
   * List the organization's keys, revoked ones included (`GET /v1/organization/keys`)
   *
   * With who made each and when it was last used, to the minute; never their secrets.
   *
   * For a signed-in member who is owner or admin.
   */
  listOrganizationKeys: { input: Record<never, never>; output: OrganizationKey[] };
  /**
   * Make an organization key; its secret is shown this once (`POST /v1/organization/keys`)
   *
   * For servers, never inside an app. A key cannot hold more permissions than its maker.
   *
   * For a signed-in member who is owner or admin.
   */
  createOrganizationKey: { input: { body: NewOrganizationKey }; output: CreatedOrganizationKey };
  /**
   * Revoke an organization key (`DELETE /v1/organization/keys/{keyId}`)
   *
   * Refused within 5 seconds everywhere; the key stays in the list.
   *
   * For a signed-in member who is owner or admin.
   */
  revokeOrganizationKey: { input: { keyId: string }; output: undefined };
  /**
   * Delete the active organization and everything that it owns (`DELETE /v1/organization`)
   *
   * At once nobody is a member, no key counts and its apps are gone from every answer; files and rows follow in the background. It cannot be undone.
   *
   * For a signed-in member who is owner.
   */
  deleteOrganization: { input: { query: { confirm: string } }; output: DeletedOrganization };
  /**
   * Who changed what, newest first; with Accept: text/csv the changes as CSV (`GET /v1/audit`)
   *
   * Each change by a member, a key or the operator, written in the transaction of the change and kept for as many days as the organization says. Nobody can change or delete an entry; the erasure of a person puts a pseudonym in place of their ids. CSV has a line a change, of up to 10,000 entries whatever `limit` says; with the last `id` as `cursor` it goes on.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  listAuditEntries: {
    input: {
      query?: {
        limit?: number;
        cursor?: string;
        actorId?: string;
        appId?: string;
        operation?: string;
        of?: string;
        objectId?: string;
        from?: string;
        to?: string;
      };
    };
    output: AuditPage;
  };
  /**
   * For how many days the audit is kept (`GET /v1/audit/settings`)
   *
   * Without a choice 400.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  getAuditSettings: { input: Record<never, never>; output: AuditSettings };
  /**
   * Set for how many days the audit is kept (`PUT /v1/audit/settings`)
   *
   * Of a shorter time than before, older entries are deleted soon and for good: owners who are signed in may choose it, nobody else. The change itself is an entry.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  setAuditSettings: { input: { body: ChangeAuditSettings }; output: AuditSettings };
  /**
   * Whether the organization is the demo (`GET /v1/demo`)
   *
   * All figures of a demo are made up; its owner can remove it.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getDemo: { input: Record<never, never>; output: Demo };
  /**
   * Remove the demo (`DELETE /v1/demo`)
   *
   * The organization that `bun run demo` made, everything in it, and the account that came with it, unless that is a member elsewhere; files and rows follow in the background. Refused for every other organization.
   *
   * For a signed-in member who is owner.
   */
  deleteDemo: { input: { query: { confirm: string } }; output: DeletedDemo };
  /**
   * List the organization's apps, newest first (`GET /v1/apps`)
   *
   * Apps that are being deleted are left out.
   *
   * For an organization key or a signed-in member.
   */
  listApps: { input: Record<never, never>; output: App[] };
  /**
   * Create an app; it is provisioned in the background (`POST /v1/apps`)
   *
   * `status` is `provisioning` until its event store and its first funnel are there, then `active`.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  createApp: { input: { body: NewApp }; output: App };
  /**
   * Read an app (`GET /v1/apps/{id}`)
   *
   * An app of another organization is answered like one that never existed.
   *
   * For an organization key or a signed-in member.
   */
  getApp: { input: { id: string }; output: App };
  /**
   * Delete an app and everything that belongs to it (`DELETE /v1/apps/{id}`)
   *
   * Gone from every answer at once; its events, funnels, keys, purchases and connections are removed in the background. It cannot be undone. `confirm` is its slug: send it, so that no other app is meant.
   *
   * For an organization key or a signed-in member with the permission `app:delete`.
   */
  deleteApp: { input: { id: string; query: { confirm: string } }; output: DeletedApp };
  /**
   * The settings of an app (`GET /v1/apps/{id}/settings`)
   *
   * The timezone cuts the days of event figures; UTC until it is set. Figures of the past are cut anew when it changes.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getAppSettings: { input: { id: string }; output: AppSettings };
  /**
   * Change some of the settings of an app (`PATCH /v1/apps/{id}/settings`)
   *
   * What is left out stays as it is.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  updateAppSettings: { input: { id: string; body: AppSettingsPatch }; output: AppSettings };
  /**
   * For how many days an app keeps events, logs and raw store notifications (`GET /v1/apps/{id}/retention`)
   *
   * What is older is deleted for good by the maintenance of files, within about a day.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  getAppRetention: { input: { id: string }; output: AppRetention };
  /**
   * Change for how many days an app keeps things (`PATCH /v1/apps/{id}/retention`)
   *
   * What is left out stays as it is. Keeping less than before is refused with 409 unless `deleteOlder` is true.
   *
   * For an organization key or a signed-in member with the permission `app:delete`.
   */
  updateAppRetention: { input: { id: string; body: AppRetentionPatch }; output: AppRetention };
  /**
   * List the publishable keys of an app, revoked ones included (`GET /v1/apps/{id}/keys`)
   *
   * Newest first; never their secrets.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  listPublishableKeys: { input: { id: string }; output: PublishableKey[] };
  /**
   * Make a publishable key; its secret is shown this once (`POST /v1/apps/{id}/keys`)
   *
   * Made for shipping inside an app: it sends events, asks for the onboarding to show and calls the purchase routes of this one app. With `kind: flags` it reads the flags of the app by OFREP, and nothing else.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  createPublishableKey: {
    input: { id: string; body?: NewPublishableKey };
    output: CreatedPublishableKey;
  };
  /**
   * Revoke a publishable key; it stays in the list (`DELETE /v1/apps/{id}/keys/{keyId}`)
   *
   * Refused within 5 seconds everywhere. Shipped apps that still send it are told to wait for an hour.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  revokePublishableKey: { input: { id: string; keyId: string }; output: undefined };
  /**
   * Connect a backend project to an app, a new one unless told which (`POST /v1/apps/{id}/backend`)
   *
   * Asked again, it answers with the project that the app has.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  connectBackend: { input: { id: string; body?: ConnectBackendBody }; output: ConnectedBackend };
  /**
   * Read the social connections of an app as they were last seen (`GET /v1/apps/{id}/marketing/connections`)
   *
   * `lastCheckedAt` says when; refresh asks the provider.
   *
   * For a signed-in member.
   */
  getSocialConnections: { input: { id: string }; output: SocialConnections };
  /**
   * Open a hosted page on which a platform is connected (`POST /v1/apps/{id}/marketing/connections/{platform}/connect`)
   *
   * The address is for one use; afterwards refresh the connections.
   *
   * For a signed-in member with the permission `app:update`.
   */
  connectSocialPlatform: { input: { id: string; platform: string }; output: ConnectPage };
  /**
   * Check the social connections against the provider (`POST /v1/apps/{id}/marketing/connections/refresh`)
   *
   * Answers with what the provider says now.
   *
   * For a signed-in member with the permission `app:update`.
   */
  refreshSocialConnections: { input: { id: string }; output: SocialConnections };
  /**
   * List the posts that wait to be published, soonest first (`GET /v1/apps/{id}/marketing/scheduled`)
   *
   * As the publishing provider has them now.
   *
   * For a signed-in member.
   */
  listScheduledPosts: { input: { id: string }; output: ScheduledPost[] };
  /**
   * Read what was published, newest first (`GET /v1/apps/{id}/marketing/history`)
   *
   * The newest 100; `total` counts all.
   *
   * For a signed-in member.
   */
  getPublishHistory: { input: { id: string }; output: PublishHistory };
  /**
   * Read the performance of each connected platform (`GET /v1/apps/{id}/marketing/analytics`)
   *
   * One entry for each connected platform. A figure that the provider does not give is null, never 0.
   *
   * For a signed-in member.
   */
  getSocialPerformance: { input: { id: string }; output: PlatformPerformance[] };
  /**
   * Read the preview session of an app (`GET /v1/apps/{id}/preview`)
   *
   * `available` is false while no runner is set for the app.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  getPreview: { input: { id: string }; output: PreviewSession };
  /**
   * Start the preview of an app, unless it is running (`POST /v1/apps/{id}/preview`)
   *
   * Answers at once; `phase` tells how far it is.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  startPreview: { input: { id: string }; output: PreviewSession };
  /**
   * Stop the preview of an app (`DELETE /v1/apps/{id}/preview`)
   *
   * Nothing happens where none is running.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  stopPreview: { input: { id: string }; output: PreviewSession };
  /**
   * Search the log entries of the organization, newest first (`GET /v1/logs`)
   *
   * `total` counts every entry that matches. Messages and fields are data that programs of the organization sent.
   *
   * For an organization key or a signed-in member.
   */
  listLogs: {
    input: {
      query?: {
        resource?: string;
        level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
        q?: string;
        since?: number;
        until?: number;
        env?: string;
        requestId?: string;
        limit?: number;
      };
    };
    output: LogPage;
  };
  /**
   * Write a log entry (`POST /v1/logs`)
   *
   * Kept for the retention of the organization; 60 a minute.
   *
   * For an organization key or a signed-in member.
   */
  writeLog: { input: { body: NewLogEntry }; output: AcceptedLogEntry };
  /**
   * Read the survey of the signed-in person (`GET /v1/onboarding`)
   *
   * `completed` is false until it was answered.
   *
   * For a signed-in person.
   */
  getOnboardingSurvey: { input: Record<never, never>; output: OnboardingSurvey };
  /**
   * Answer the survey; again to change the answers (`POST /v1/onboarding`)
   *
   * Without a body the survey is complete without answers.
   *
   * For a signed-in person.
   */
  answerOnboardingSurvey: { input: { body?: OnboardingSurveyAnswers }; output: OnboardingSurvey };
  /**
   * Send a batch of events of a shipped app (`POST /v1/events`)
   *
   * 1 to 100 events; durable once answered 202. An event with an `id` counts once, however often it is sent.
   *
   * For a shipped app, with its publishable key.
   */
  sendEvents: { input: { body: EventBatch }; output: AcceptedBatch };
  /**
   * Find people by the beginning of an id (`GET /v1/apps/{id}/people`)
   *
   * By user id or anonymous id, in either environment. Who signed in is found by their devices, too.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  searchPeople: { input: { id: string; query: { search: string } }; output: FoundPeople };
  /**
   * Everything that is stored about a person (`GET /v1/apps/{id}/people/{personId}`)
   *
   * By any of their ids, a page at a time until `nextCursor` is null: all that `erasePerson` with the same id would remove. First their events in order of receipt, then what else is stored: purchases, grants, arms shown by hand, log entries, deliveries. An id that nothing is known of is 404.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  exportPerson: {
    input: { id: string; personId: string; query?: { cursor?: string; limit?: number } };
    output: PersonExport;
  };
  /**
   * Erase a person: at once from every answer, then from every file (`DELETE /v1/apps/{id}/people/{personId}`)
   *
   * It cannot be undone: what comes for these ids later is dropped or refused. Not searched: messages and other texts of log entries, and what members wrote (notes, rules, questions).
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  erasePerson: { input: { id: string; personId: string }; output: undefined };
  /**
   * Everything that is stored about the person of an id (`GET /v1/apps/{id}/person`)
   *
   * As `exportPerson`. The id stands in the query, so any id means its person: `.` and `..` in a path are resolved on the way.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  exportPersonById: {
    input: { id: string; query: { personId: string; cursor?: string; limit?: number } };
    output: PersonExport;
  };
  /**
   * Erase the person of an id: at once from every answer, then from every file (`DELETE /v1/apps/{id}/person`)
   *
   * As `erasePerson`; it cannot be undone. Not searched: messages and other texts of log entries, and what members wrote (notes, rules, questions). The id stands in the query, so any id means its person: `.` and `..` in a path are resolved on the way.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  erasePersonById: { input: { id: string; query: { personId: string } }; output: undefined };
  /**
   * Describe people by id: first and last seen, version, country, product, state (`POST /v1/apps/{id}/person/facts`)
   *
   * By the ids that lists of people give; an id of nobody has nothing but nulls. As known, without asking a store.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  describePeople: { input: { id: string; body: DescribePeople }; output: DescribedPeople };
  /**
   * Who sent what in the last days (`GET /v1/apps/{id}/events/summary`)
   *
   * People are distinct: a person is counted once under each name, platform and version, so the parts do not add up to the total. A person who signs in is one with their anonymous id.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getEventSummary: {
    input: {
      id: string;
      query?: { days?: number; environment?: 'production' | 'development' | 'all' };
    };
    output: EventSummary;
  };
  /**
   * The events received last, as they are stored; the last one first (`GET /v1/apps/{id}/events/recent`)
   *
   * For looking on while an app is instrumented. Names and properties are data that clients sent.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listRecentEvents: {
    input: {
      id: string;
      query?: {
        platform?: string;
        appVersion?: string;
        country?: string;
        property?: string;
        name?: string;
        personId?: string;
        environment?: 'production' | 'development' | 'all';
        limit?: number;
      };
    };
    output: RecentEvent[];
  };
  /**
   * What became of the events sent, by hour, and why batches were rejected (`GET /v1/apps/{id}/events/ingestion`)
   *
   * Events accepted and dropped by hour of receipt, and each reason for a rejected batch with an example of what was sent.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getIngestion: {
    input: {
      id: string;
      query?: { days?: number; environment?: 'production' | 'development' | 'all' };
    };
    output: Ingestion;
  };
  /**
   * People and events by hour, day, week or month (`GET /v1/apps/{id}/events/series`)
   *
   * Active is who has at least one event whose name does not begin with `$`. People are distinct, so neither intervals nor breakdown values add up to the totals, which are given apart. The window is 28 days of the app's timezone and today, compared with the 28 days before; the unfinished interval is marked `partial` and left out of totals and changes. WAU and MAU of day d are the distinct people of d−6…d and d−27…d.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getEventSeries: {
    input: {
      id: string;
      query?: {
        days?: number;
        from?: string;
        to?: string;
        timezone?: string;
        environment?: 'production' | 'development' | 'all';
        platform?: string;
        appVersion?: string;
        country?: string;
        property?: string;
        interval?: 'hour' | 'day' | 'week' | 'month';
        names?: string;
        breakdown?: string;
        compare?: boolean;
        active?: boolean;
      };
    };
    output: EventSeries;
  };
  /**
   * Who comes back, by cohort and period (`GET /v1/apps/{id}/events/retention`)
   *
   * A cohort is made of people by their first event ever (`first`) or by an event in the interval (`recurring`). A period that is not over is null, never 0. The mean of a column is Σ returned ÷ Σ size over the cohorts that finished it. A cohort under fifty people shows counts and no rate, the mean has a fifty of its own, and under fifty people in all only sizes are shown.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getEventRetention: {
    input: {
      id: string;
      query?: {
        days?: number;
        from?: string;
        to?: string;
        timezone?: string;
        environment?: 'production' | 'development' | 'all';
        interval?: 'day' | 'week' | 'month';
        cohort?: 'first' | 'recurring';
        criterion?: 'on' | 'on_or_after';
        clock?: 'calendar' | 'hours';
        startName?: string;
        returnName?: string;
        periods?: number;
      };
    };
    output: RetentionReport;
  };
  /**
   * People who are new, returning, resurrected and dormant, by interval (`GET /v1/apps/{id}/events/lifecycle`)
   *
   * New is whose first event ever lies in the interval; returning who was active in the interval before too; resurrected who was active earlier, but not in the interval before; dormant who was active in the interval before and is not in this one. Active people are new + returning + resurrected, and those of the interval before are returning + dormant. `name` and filters hold for all of it: new is then who did this for the first time.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getEventLifecycle: {
    input: {
      id: string;
      query?: {
        days?: number;
        from?: string;
        to?: string;
        timezone?: string;
        environment?: 'production' | 'development' | 'all';
        platform?: string;
        appVersion?: string;
        country?: string;
        property?: string;
        interval?: 'hour' | 'day' | 'week' | 'month';
        name?: string;
      };
    };
    output: LifecycleReport;
  };
  /**
   * The people behind a number of the lifecycle (`GET /v1/apps/{id}/events/lifecycle/people`)
   *
   * By id, a page at a time. 409 `conflict` where fewer than fifty people are in the window and the interval before it.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listEventLifecyclePeople: {
    input: {
      id: string;
      query: {
        days?: number;
        from?: string;
        to?: string;
        timezone?: string;
        environment?: 'production' | 'development' | 'all';
        platform?: string;
        appVersion?: string;
        country?: string;
        property?: string;
        interval?: 'hour' | 'day' | 'week' | 'month';
        name?: string;
        cursor?: string;
        limit?: number;
        point: string;
        state: 'new' | 'returning' | 'resurrected' | 'dormant';
      };
    };
    output: PeopleBehind;
  };
  /**
   * What comes directly before or after an event (`GET /v1/apps/{id}/events/paths`)
   *
   * Three steps from the first event of this name in each session, in the window. A session counts once; the nodes of a step add up to the sessions that got there. The most frequent events of a step are named, all others are one node (`rest`), and `end` is where the session has no more. A session is what came with one session id; without an id it ends after 30 minutes without an event. Under fifty people no step is shown.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getEventPaths: {
    input: {
      id: string;
      query: {
        days?: number;
        from?: string;
        to?: string;
        timezone?: string;
        environment?: 'production' | 'development' | 'all';
        platform?: string;
        appVersion?: string;
        country?: string;
        property?: string;
        name: string;
        direction?: 'after' | 'before';
        names?: number;
      };
    };
    output: PathsReport;
  };
  /**
   * The people behind a point of a series (`GET /v1/apps/{id}/events/series/people`)
   *
   * By id, a page at a time. 409 `conflict` where fewer than fifty people are in the whole window: a list of them would disclose them.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listEventSeriesPeople: {
    input: {
      id: string;
      query: {
        days?: number;
        from?: string;
        to?: string;
        timezone?: string;
        environment?: 'production' | 'development' | 'all';
        platform?: string;
        appVersion?: string;
        country?: string;
        property?: string;
        cursor?: string;
        limit?: number;
        interval?: 'hour' | 'day' | 'week' | 'month';
        name?: string;
        point: string;
      };
    };
    output: PeopleBehind;
  };
  /**
   * The people behind a cell of retention (`GET /v1/apps/{id}/events/retention/people`)
   *
   * By id, a page at a time. 409 `conflict` where fewer than fifty people are in all cohorts together.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listEventRetentionPeople: {
    input: {
      id: string;
      query: {
        days?: number;
        from?: string;
        to?: string;
        timezone?: string;
        environment?: 'production' | 'development' | 'all';
        interval?: 'day' | 'week' | 'month';
        cohort?: 'first' | 'recurring';
        criterion?: 'on' | 'on_or_after';
        clock?: 'calendar' | 'hours';
        startName?: string;
        returnName?: string;
        cursor?: string;
        limit?: number;
        cohortIndex: number;
        period?: number;
      };
    };
    output: PeopleBehind;
  };
  /**
   * The properties of an event: names, types and most frequent values (`GET /v1/apps/{id}/events/properties`)
   *
   * Of the events received last, at most 100,000 of them. Most events first; ten values of each property, as text. The values come from clients.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listEventProperties: {
    input: {
      id: string;
      query: { name: string; days?: number; environment?: 'production' | 'development' | 'all' };
    };
    output: EventProperties;
  };
  /**
   * Ask one SELECT over the data of the organization; with Accept: text/csv as CSV, with Arrow’s as its stream (`POST /v1/sql`)
   *
   * Views: events, people, exposures, sales, purchases, subscriptions, entitlements, apps (docs/data-dictionary.md). One SELECT, 30 seconds, 10,000 rows and 8 MB of answer; `cutBy` says when a bound cut it, `x-cut-by` of CSV and Arrow (`application/vnd.apache.arrow.stream`). Each question has a process of its own without network or secrets; where the kernel cannot isolate it, 503.
   *
   * For an organization key or a signed-in member with the permission `sql:ask`.
   */
  askSql: { input: { body: SqlQuestion }; output: SqlAnswer };
  /**
   * List the views that SQL can ask, with their columns (`GET /v1/sql/views`)
   *
   * The data dictionary: name, type and meaning of each column.
   *
   * For an organization key or a signed-in member with the permission `sql:ask`.
   */
  listSqlViews: { input: Record<never, never>; output: SqlView[] };
  /**
   * List the saved SQL queries of the organization, by name (`GET /v1/sql/queries`)
   *
   * Each with its text and its parameters, as `askSql` takes them.
   *
   * For an organization key or a signed-in member with the permission `sql:ask`.
   */
  listSqlQueries: { input: Record<never, never>; output: SqlQuery[] };
  /**
   * Save SQL under a name (`POST /v1/sql/queries`)
   *
   * The text is not asked and not checked. A name that another query has is 409, as is the 201st.
   *
   * For an organization key or a signed-in member with the permission `sql:ask`.
   */
  saveSqlQuery: { input: { body: NewSqlQuery }; output: SqlQuery };
  /**
   * Edit a saved SQL query: its name, its text or its parameters (`PUT /v1/sql/queries/{queryId}`)
   *
   * What is left out stays.
   *
   * For an organization key or a signed-in member with the permission `sql:ask`.
   */
  updateSqlQuery: { input: { queryId: string; body: SqlQueryChange }; output: SqlQuery };
  /**
   * Delete a saved SQL query (`DELETE /v1/sql/queries/{queryId}`)
   *
   * Nothing else uses it.
   *
   * For an organization key or a signed-in member with the permission `sql:ask`.
   */
  deleteSqlQuery: { input: { queryId: string }; output: undefined };
  /**
   * What happened on which day, for the charts of an app (`GET /v1/apps/{id}/marks`)
   *
   * The first sight of a version (the first finished day on which at least three people, and five percent of the people of the day, used it in production), start and stop of experiments, changes of a product’s price by the store’s reports, and notes by hand. The 28 days that end with today unless asked otherwise.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listMarks: {
    input: { id: string; query?: { days?: number; from?: string; to?: string; timezone?: string } };
    output: Marks;
  };
  /**
   * Write a note beside the charts of an app (`POST /v1/apps/{id}/marks`)
   *
   * The author is kept with it. The same text on the same day is there once. At most 1,000 an app.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  createMark: { input: { id: string; body: NewMark }; output: Mark };
  /**
   * Delete a note (`DELETE /v1/apps/{id}/marks/{markId}`)
   *
   * Marks that follow from events, experiments and sales cannot be deleted.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  deleteMark: { input: { id: string; markId: string }; output: undefined };
  /**
   * List the segments of an app, by name (`GET /v1/apps/{id}/segments`)
   *
   * Each is a named rule about people; who is in it is counted when it is asked.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listSegments: { input: { id: string }; output: Segment[] };
  /**
   * Make a segment (`POST /v1/apps/{id}/segments`)
   *
   * A name that another segment of the app has is 409, as is the 101st. A wrong clause names its place, such as `rule.all[2].experiment`.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  createSegment: { input: { id: string; body: NewSegment }; output: Segment };
  /**
   * How many people a rule means, without saving it (`POST /v1/apps/{id}/segments/preview`)
   *
   * With the first twenty of them by id.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  previewSegment: { input: { id: string; body: PreviewSegmentBody }; output: SegmentPreview };
  /**
   * Read a segment (`GET /v1/apps/{id}/segments/{segmentId}`)
   *
   * Its name, its rule and who made it.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getSegment: { input: { id: string; segmentId: string }; output: Segment };
  /**
   * Edit a segment: its name, its rule or both (`PUT /v1/apps/{id}/segments/{segmentId}`)
   *
   * What is left out stays. All that uses it goes by the new rule. A rule that leads back to its own segment is 400.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  updateSegment: { input: { id: string; segmentId: string; body: SegmentChange }; output: Segment };
  /**
   * Delete a segment that nothing uses (`DELETE /v1/apps/{id}/segments/{segmentId}`)
   *
   * 409 `conflict` while another segment uses it.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  deleteSegment: { input: { id: string; segmentId: string }; output: undefined };
  /**
   * What uses a segment, a hundred at most (`GET /v1/apps/{id}/segments/{segmentId}/uses`)
   *
   * Other segments that name it.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listSegmentUses: { input: { id: string; segmentId: string }; output: SegmentUses };
  /**
   * How many people are in a segment now (`GET /v1/apps/{id}/segments/{segmentId}/count`)
   *
   * People with an event of clients in this environment, production when left out. Purchases are real ones in either.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  countSegment: {
    input: {
      id: string;
      segmentId: string;
      query?: { environment?: 'production' | 'development' | 'all' };
    };
    output: SegmentCount;
  };
  /**
   * Who is in a segment now; with Accept: text/csv everybody as CSV (`GET /v1/apps/{id}/segments/{segmentId}/people`)
   *
   * By id, a page at a time until `nextCursor` is null; each page is as of its own time. CSV has everybody as of one time, whatever `limit` and `cursor` say.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listSegmentPeople: {
    input: {
      id: string;
      segmentId: string;
      query?: {
        environment?: 'production' | 'development' | 'all';
        cursor?: string;
        limit?: number;
      };
    };
    output: PeopleOfSegment;
  };
  /**
   * List the onboardings of an app, the default first (`GET /v1/apps/{id}/onboardings`)
   *
   * An onboarding is any JSON whose meaning the app knows.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  listOnboardings: { input: { id: string }; output: Onboarding[] };
  /**
   * Create an onboarding (`POST /v1/apps/{id}/onboardings`)
   *
   * The first one of an app is its default.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  createOnboarding: { input: { id: string; body: NewOnboarding }; output: Onboarding };
  /**
   * Read an onboarding (`GET /v1/apps/{id}/onboardings/{onboardingId}`)
   *
   * With its whole `config`.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  getOnboarding: { input: { id: string; onboardingId: string }; output: Onboarding };
  /**
   * Change an onboarding (`PATCH /v1/apps/{id}/onboardings/{onboardingId}`)
   *
   * What is left out stays. People of a running experiment see the change at once.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  updateOnboarding: {
    input: { id: string; onboardingId: string; body: OnboardingChange };
    output: Onboarding;
  };
  /**
   * Delete an onboarding (`DELETE /v1/apps/{id}/onboardings/{onboardingId}`)
   *
   * Refused while an experiment that is not stopped uses it.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  deleteOnboarding: { input: { id: string; onboardingId: string }; output: undefined };
  /**
   * List the experiments of an app, newest first (`GET /v1/apps/{id}/experiments`)
   *
   * At most one of onboardings runs, and any number of flags.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  listExperiments: { input: { id: string }; output: Experiment[] };
  /**
   * Create an experiment as a draft (`POST /v1/apps/{id}/experiments`)
   *
   * Nobody is exposed before it is started. Arms without onboardings get their values from rules of flags.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  createExperiment: { input: { id: string; body: NewExperiment }; output: Experiment };
  /**
   * Read an experiment (`GET /v1/apps/{id}/experiments/{experimentId}`)
   *
   * Its arms with their weights and onboardings, and its part of a layer.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  getExperiment: { input: { id: string; experimentId: string }; output: Experiment };
  /**
   * Change, start or stop an experiment (`PATCH /v1/apps/{id}/experiments/{experimentId}`)
   *
   * `status: running` starts it, `stopped` ends it for good. Weights and onboardings are fixed once it has run.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  updateExperiment: {
    input: { id: string; experimentId: string; body: ExperimentChange };
    output: Experiment;
  };
  /**
   * Delete an experiment (`DELETE /v1/apps/{id}/experiments/{experimentId}`)
   *
   * One that runs has to be stopped first.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  deleteExperiment: { input: { id: string; experimentId: string }; output: undefined };
  /**
   * How the people of each arm converted, and whether the split is sound (`GET /v1/apps/{id}/experiments/{experimentId}/report`)
   *
   * Counts people with an exposure, in one arm only, not overridden by hand. `measured` takes those whose conversion window is over; the interval of a difference is a confidence sequence, so it holds however often one looks. `answer` says what it comes to, not before seven full days.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  getExperimentReport: { input: { id: string; experimentId: string }; output: ExperimentReport };
  /**
   * How many people and days an experiment takes (`GET /v1/apps/{id}/experiments/{experimentId}/sizes`)
   *
   * How many people and days it takes to see +10, +20 and +50 % at today’s rate and traffic: of those who entered the default funnel and whose conversion window is over. “Five months” is an answer.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  getExperimentSizes: {
    input: { id: string; experimentId: string; query?: { days?: number } };
    output: ExperimentSizes;
  };
  /**
   * End an experiment and make the onboarding of an arm the default (`POST /v1/apps/{id}/experiments/{experimentId}/ship`)
   *
   * Of an experiment of flags: rules give the variant of that arm to everybody. Shipping is your decision: it needs no verdict, and the answer says who did it and when.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  shipExperimentArm: {
    input: { id: string; experimentId: string; body: ShipExperimentArmBody };
    output: Experiment;
  };
  /**
   * List the devices that are shown an arm by hand, newest first (`GET /v1/apps/{id}/experiments/{experimentId}/overrides`)
   *
   * Their people count in no report of the experiment.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  listExperimentOverrides: {
    input: { id: string; experimentId: string };
    output: ExperimentOverride[];
  };
  /**
   * Show an arm on one device; its person counts in no report from then on (`PUT /v1/apps/{id}/experiments/{experimentId}/overrides`)
   *
   * For looking at an arm on your own phone, whatever the split would give it.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  setExperimentOverride: {
    input: { id: string; experimentId: string; body: NewExperimentOverride };
    output: ExperimentOverride;
  };
  /**
   * Show a device again the arm that it is assigned (`DELETE /v1/apps/{id}/experiments/{experimentId}/overrides`)
   *
   * Its person stays out of the report of the experiment.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  deleteExperimentOverride: {
    input: { id: string; experimentId: string; query: { anonymousId: string } };
    output: undefined;
  };
  /**
   * The onboarding that this person should see, and the arm it came from (`GET /v1/experiments`)
   *
   * The same person gets the same arm for as long as the experiment runs; being asked is the exposure. An app that gets no answer shows the onboarding that it shipped with.
   *
   * For a shipped app, with its publishable key.
   */
  getExperimentAssignment: {
    input: { query: { anonymousId: string } };
    output: ExperimentAssignment;
  };
  /**
   * List the flags of an app by their keys (`GET /v1/apps/{id}/flags`)
   *
   * With how often each was asked for, so that dead flags are seen.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  listFlags: { input: { id: string }; output: Flag[] };
  /**
   * Create a flag (`POST /v1/apps/{id}/flags`)
   *
   * Off unless `isOn` is given. The first rule that applies decides; apps read it by OFREP with a key of kind flags.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  createFlag: { input: { id: string; body: NewFlag }; output: Flag };
  /**
   * Read a flag (`GET /v1/apps/{id}/flags/{flagId}`)
   *
   * Its variants and rules, and who asked for it last.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  getFlag: { input: { id: string; flagId: string }; output: Flag };
  /**
   * Change a flag, or switch it on or off (`PATCH /v1/apps/{id}/flags/{flagId}`)
   *
   * Served within 5 seconds everywhere; clients that poll have it with their next request. Rules that keep their `id` keep their people.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  updateFlag: { input: { id: string; flagId: string; body: FlagChange }; output: Flag };
  /**
   * Delete a flag with its history (`DELETE /v1/apps/{id}/flags/{flagId}`)
   *
   * Apps that still ask for it get what they shipped with.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  deleteFlag: { input: { id: string; flagId: string }; output: undefined };
  /**
   * What a flag was before, newest first (`GET /v1/apps/{id}/flags/{flagId}/versions`)
   *
   * Each change with who made it and why.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  listFlagVersions: { input: { id: string; flagId: string }; output: FlagVersion[] };
  /**
   * Take a flag back to an earlier version (`POST /v1/apps/{id}/flags/{flagId}/restore`)
   *
   * As a new version, so that the way back has a way back.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  restoreFlag: { input: { id: string; flagId: string; body: RestoreFlagBody }; output: Flag };
  /**
   * The values of all flags for a person, by OFREP (`POST /v1/ofrep/v1/evaluate/flags`)
   *
   * For clients that keep them. With the ETag of an earlier answer in If-None-Match it is 304 while nothing changes. Never an exposure of an experiment.
   *
   * For an app or a server, with a flag key.
   */
  evaluateFlags: { input: { body: EvaluationRequest }; output: FlagEvaluations };
  /**
   * The value of a flag for a person, by OFREP (`POST /v1/ofrep/v1/evaluate/flags/{key}`)
   *
   * For servers, which ask with the context of each request. Where a running experiment decides, being asked is the exposure.
   *
   * For an app or a server, with a flag key.
   */
  evaluateFlag: { input: { key: string; body: EvaluationRequest }; output: FlagEvaluation };
  /**
   * List the webhooks of the organization (`GET /v1/webhooks`)
   *
   * Ten at most, and never their secrets.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  listWebhooks: { input: Record<never, never>; output: Webhook[] };
  /**
   * Register an address for events; its secret is shown this once (`POST /v1/webhooks`)
   *
   * Deliveries are signed as Standard Webhooks and tried again for a day.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  createWebhook: { input: { body: NewWebhook }; output: CreatedWebhook };
  /**
   * Change the address or events of a webhook, or switch it off and on (`PATCH /v1/webhooks/{webhookId}`)
   *
   * While it is switched off nothing is sent; what happens is kept for 30 days as failed deliveries, which POST /v1/webhooks/{id}/resend sends later.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  changeWebhook: { input: { webhookId: string; body: WebhookChange }; output: Webhook };
  /**
   * Remove a webhook (`DELETE /v1/webhooks/{webhookId}`)
   *
   * Nothing is delivered to it any more.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  deleteWebhook: { input: { webhookId: string }; output: undefined };
  /**
   * Replace the secret of a webhook; the new one is shown this once (`POST /v1/webhooks/{webhookId}/rotate`)
   *
   * For `overlapSeconds` every delivery carries a signature of both secrets, so that receivers can change over without losing one.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  rotateWebhookSecret: {
    input: { webhookId: string; body?: WebhookRotation };
    output: CreatedWebhook;
  };
  /**
   * Send a test event to a webhook (`POST /v1/webhooks/{webhookId}/test`)
   *
   * Sends `webhook.test`, or an example of the type `event`; the body has `test: true`. How it went is in the deliveries of the webhook.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  testWebhook: { input: { webhookId: string; body?: WebhookTest }; output: WebhookTested };
  /**
   * Send the deliveries of a time again (`POST /v1/webhooks/{webhookId}/resend`)
   *
   * Sends finished deliveries of at most 30 days again, oldest first, under their own ids, in the background. 1,000 at a time: `nextFrom` says where to go on.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  resendWebhookDeliveries: {
    input: { webhookId: string; body: WebhookResend };
    output: WebhookResent;
  };
  /**
   * What was delivered, newest first, with every attempt (`GET /v1/webhooks/{webhookId}/deliveries`)
   *
   * Each attempt with the status or the fault; kept for 30 days.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  listWebhookDeliveries: {
    input: { webhookId: string; query?: { cursor?: string; limit?: number } };
    output: WebhookDeliveryPage;
  };
  /**
   * Deliver again (`POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver`)
   *
   * The same body and id, signed anew.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  redeliverWebhook: {
    input: { webhookId: string; deliveryId: string };
    output: AcceptedWebhookDelivery;
  };
  /**
   * Whether, where and when the morning digest comes (`GET /v1/digests`)
   *
   * Off until somebody switches it on.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  getDigestSettings: { input: Record<never, never>; output: DigestSettings };
  /**
   * Switch the morning digest on or off (`PUT /v1/digests`)
   *
   * One digest a day, at this hour of the zone, through the change of clocks.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  setDigestSettings: { input: { body: ChangeDigestSettings }; output: DigestSettings };
  /**
   * List where digests are sent to (`GET /v1/digests/destinations`)
   *
   * Ten at most, oldest first, and never their secret addresses.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  listDigestDestinations: { input: Record<never, never>; output: DigestDestination[] };
  /**
   * Send digests to a mail address, Slack, Discord or an address of your own (`POST /v1/digests/destinations`)
   *
   * Mail goes to members only. The others get a POST each.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  createDigestDestination: { input: { body: NewDigestDestination }; output: DigestDestination };
  /**
   * Send no more digests there (`DELETE /v1/digests/destinations/{destinationId}`)
   *
   * What was sent before stays with whoever received it.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  deleteDigestDestination: { input: { destinationId: string }; output: undefined };
  /**
   * Send a test message, and say what came of it (`POST /v1/digests/destinations/{destinationId}/test`)
   *
   * Sent once; `error` says why it was not delivered.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  testDigestDestination: { input: { destinationId: string }; output: DigestTest };
  /**
   * What is told at once, and when not (`GET /v1/digests/messages`)
   *
   * Every kind is off until somebody switches it on.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  getMessageSettings: { input: Record<never, never>; output: MessageSettings };
  /**
   * Switch alerts and messages at once on or off (`PUT /v1/digests/messages`)
   *
   * Alerts are insights that ask to act: looked for every hour and told when they begin, not again until they have ended. New subscribers, refunds and billing problems have one line each, within a minute of the store’s word; of more than twenty in a minute one line says how many. Watches of saved questions are told until they are switched off. They go where digests go.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  setMessageSettings: { input: { body: ChangeMessageSettings }; output: MessageSettings };
  /**
   * The page behind the link at the end of every message (`GET /v1/digests/off`)
   *
   * A page with one button. Opening it ends nothing.
   *
   * Anybody may call it.
   */
  showDigestsOff: {
    input: {
      query: { org: string; token: string; what?: 'digest' | 'messages'; destination?: string };
    };
    output: string;
  };
  /**
   * End digests or messages without a login (`POST /v1/digests/off`)
   *
   * What the button of the page does, and what mail programs send to unsubscribe (RFC 8058): for the address of a mail, or one kind for the organization.
   *
   * Anybody may call it.
   */
  endDigests: {
    input: {
      query: { org: string; token: string; what?: 'digest' | 'messages'; destination?: string };
    };
    output: string;
  };
  /**
   * Store conversions and the default funnel together, with recommendations (`GET /v1/apps/{id}/insights`)
   *
   * Downloads, trials and purchases of the store beside the default funnel of the same Pacific days. Each recommendation rests on one metric and the threshold that it was held against; under fifty people the funnel draws no figure.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getInsights: { input: { id: string; query?: { days?: number } }; output: Insights };
  /**
   * List the funnels of an app, the default first (`GET /v1/apps/{id}/funnels`)
   *
   * Every app begins with one.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listFunnels: { input: { id: string }; output: Funnel[] };
  /**
   * Make a funnel (`POST /v1/apps/{id}/funnels`)
   *
   * 2 to 12 steps. As a default it takes the place of the present one. A step that the app never sent is taken, with a `hint` that names it.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  createFunnel: { input: { id: string; body: NewFunnel }; output: Funnel };
  /**
   * Edit a funnel: any of name, steps, isDefault (`PUT /v1/apps/{id}/funnels/{funnelId}`)
   *
   * What is left out stays. Reports count past events by the new steps.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  updateFunnel: { input: { id: string; funnelId: string; body: FunnelChange }; output: Funnel };
  /**
   * Delete a funnel (`DELETE /v1/apps/{id}/funnels/{funnelId}`)
   *
   * Deleting the default makes the oldest other one the default.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  deleteFunnel: { input: { id: string; funnelId: string }; output: undefined };
  /**
   * How many people came how far; with Accept: text/csv the steps as CSV (`GET /v1/apps/{id}/funnels/{funnelId}/report`)
   *
   * People who did step 1 in the window and the steps after it in order, each within the conversion window from step 1. With fewer than fifty people in step 1 no figure is drawn; `people` still says how many there were. Intervals are Wilson’s, 95 %.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getFunnelReport: {
    input: {
      id: string;
      funnelId: string;
      query?: {
        platform?: string;
        appVersion?: string;
        country?: string;
        property?: string;
        days?: number;
        from?: string;
        to?: string;
        timezone?: string;
        environment?: 'production' | 'development' | 'all';
        people?: 'all' | 'new';
        windowHours?: number;
        breakdown?: string;
        interval?: 'day' | 'week';
        compare?: 'previous';
      };
    };
    output: FunnelReport;
  };
  /**
   * The persons behind one figure of a funnel (`GET /v1/apps/{id}/funnels/{funnelId}/people`)
   *
   * Those who reached a step, or were lost before it. Refused (409) while the report draws no figure.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listFunnelPeople: {
    input: {
      id: string;
      funnelId: string;
      query: {
        platform?: string;
        appVersion?: string;
        country?: string;
        property?: string;
        days?: number;
        from?: string;
        to?: string;
        timezone?: string;
        environment?: 'production' | 'development' | 'all';
        people?: 'all' | 'new';
        windowHours?: number;
        cursor?: string;
        limit?: number;
        step: number;
        dropped?: boolean;
      };
    };
    output: FunnelPeoplePage;
  };
  /**
   * Ask for series, a funnel or retention of any selection of events (`POST /v1/apps/{id}/questions/answer`)
   *
   * Each series, each step of a funnel, its entry, the start and the return of retention can be any selection of events: by name, and by up to 12 conditions on fields and properties, of which all or any hold. A missing value equals nothing, contains nothing and is greater than nothing, so `isNot` holds for it. The answer says its exact window. A wrong condition is refused by its place, such as `steps[1].where.all[0].value`. Nothing is stored.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  answerQuestion: { input: { id: string; body: Question }; output: Answer };
  /**
   * The people behind a figure of a question (`POST /v1/apps/{id}/questions/people`)
   *
   * Of a point of series or measures, a step of a funnel, a cell of retention or a state of the lifecycle; by id, a page at a time. What the question has of its own as `breakdown` and `segments` is left out: add the value as a condition. 409 `conflict` where fewer than fifty people are in the whole answer: a list of them would disclose them.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listQuestionPeople: { input: { id: string; body: QuestionPeopleBody }; output: PeopleOfQuestion };
  /**
   * List the saved questions of an app, by name (`GET /v1/apps/{id}/questions`)
   *
   * Each with its question, as `answerQuestion` takes it, and who saved it.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listQuestions: { input: { id: string }; output: SavedQuestion[] };
  /**
   * Save a question under a name (`POST /v1/apps/{id}/questions`)
   *
   * A name that another question of the app has is 409, as is the 201st.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  saveQuestion: { input: { id: string; body: NewSavedQuestion }; output: SavedQuestion };
  /**
   * Read a saved question (`GET /v1/apps/{id}/questions/{questionId}`)
   *
   * What is asked, not its answer.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getQuestion: { input: { id: string; questionId: string }; output: SavedQuestion };
  /**
   * Edit a saved question: its name, what it asks or both (`PUT /v1/apps/{id}/questions/{questionId}`)
   *
   * What is left out stays; its id, address and owner always do.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  updateQuestion: {
    input: { id: string; questionId: string; body: SavedQuestionChange };
    output: SavedQuestion;
  };
  /**
   * Delete a saved question (`DELETE /v1/apps/{id}/questions/{questionId}`)
   *
   * Its address then answers 404.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  deleteQuestion: { input: { id: string; questionId: string }; output: undefined };
  /**
   * Answer a saved question now (`GET /v1/apps/{id}/questions/{questionId}/answer`)
   *
   * As `answerQuestion` with its question: days count back from today.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getQuestionAnswer: { input: { id: string; questionId: string }; output: Answer };
  /**
   * List the watches of an app, oldest first (`GET /v1/apps/{id}/watches`)
   *
   * Each with its state and its last look.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listWatches: { input: { id: string }; output: Watch[] };
  /**
   * Watch a figure of a saved question (`POST /v1/apps/{id}/watches`)
   *
   * Judged once after each whole interval of the question, two hours after its end (of a funnel when its people had their time to convert), the newest one at once. Told where messages go when it goes beyond, and when that is over. At most twenty an app.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  createWatch: { input: { id: string; body: NewWatch }; output: Watch };
  /**
   * Read a watch (`GET /v1/apps/{id}/watches/{watchId}`)
   *
   * With its state and its last look.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getWatch: { input: { id: string; watchId: string }; output: Watch };
  /**
   * Change the figure or the rule of a watch (`PUT /v1/apps/{id}/watches/{watchId}`)
   *
   * What is left out stays. It waits for its next look as a new one does.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  updateWatch: { input: { id: string; watchId: string; body: WatchChange }; output: Watch };
  /**
   * Delete a watch with its history (`DELETE /v1/apps/{id}/watches/{watchId}`)
   *
   * Nothing more is told. It also goes with its question.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  deleteWatch: { input: { id: string; watchId: string }; output: undefined };
  /**
   * What a watch saw, newest first (`GET /v1/apps/{id}/watches/{watchId}/history`)
   *
   * The last hundred whole intervals, each with its value and its verdict.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getWatchHistory: { input: { id: string; watchId: string }; output: WatchLook[] };
  /**
   * The offerings of an app (`GET /v1/apps/{id}/offerings`)
   *
   * What paywalls show: packages of products in order, with JSON that devices get as it is, the default, and the flag that chooses.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  getOfferings: { input: { id: string }; output: Offerings };
  /**
   * Set the offerings of an app (`PUT /v1/apps/{id}/offerings`)
   *
   * In place of all before; 64 KB in all. A product that is not known is refused, and a flag whose values are not text. Devices get them within five seconds.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  setOfferings: { input: { id: string; body: NewOfferings }; output: Offerings };
  /**
   * What the paywall of this person shows (`GET /v1/purchases/offerings`)
   *
   * All offerings, and which is current: by the flag of the offerings for this person, else the default. With the ETag of an earlier answer in If-None-Match it is 304 while nothing changes. Asking is no exposure of an experiment; with `shown` it is.
   *
   * For a shipped app, with its publishable key.
   */
  getDeviceOfferings: {
    input: {
      query?: {
        anonymousId?: string;
        shown?: 'true';
        platform?: string;
        appVersion?: string;
        osVersion?: string;
        locale?: string;
        country?: string;
      };
    };
    output: DeviceOfferings;
  };
  /**
   * The purchase key of the organization and its status, never the key (`GET /v1/purchases/connection`)
   *
   * null where none is connected.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  getPurchaseConnection: { input: Record<never, never>; output: PurchaseConnection | null };
  /**
   * Connect an In-App Purchase key; it is verified with the store first (`PUT /v1/purchases/connection`)
   *
   * Kept sealed and never returned. With it the history of every known purchase is read.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  connectPurchaseKey: { input: { body: ConnectPurchaseKeyBody }; output: PurchaseConnection };
  /**
   * Disconnect and delete the purchase key (`DELETE /v1/purchases/connection`)
   *
   * Signed transactions and notifications count without it.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  disconnectPurchaseKey: { input: Record<never, never>; output: undefined };
  /**
   * Ask for the store's test notification; says when the last one came (`POST /v1/purchases/connection/test`)
   *
   * The store sends it to the address that is set in App Store Connect, within a minute as a rule.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  testPurchaseConnection: {
    input: { body?: TestPurchaseConnectionBody };
    output: TestedPurchaseConnection;
  };
  /**
   * The service account that reads Google Play for an app, never its key (`GET /v1/apps/{id}/purchases/play-store`)
   *
   * null where none is connected.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  getPlayConnection: { input: { id: string }; output: PlayConnection | null };
  /**
   * Connect Google Play by a service account; it is verified first (`PUT /v1/apps/{id}/purchases/play-store`)
   *
   * The key is kept sealed and never returned. Where a permission is missing, `hint` says which and where it is given.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  connectPlayStore: { input: { id: string; body: ConnectPlayStoreBody }; output: PlayConnection };
  /**
   * Disconnect Google Play and delete the key (`DELETE /v1/apps/{id}/purchases/play-store`)
   *
   * Purchases that were recorded stay as they were last seen.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  disconnectPlayStore: { input: { id: string }; output: undefined };
  /**
   * Ask Google Play whether the service account may read purchases (`POST /v1/apps/{id}/purchases/play-store/check`)
   *
   * Where it may not, `lastError` says what to do; permissions take up to 36 hours.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  checkPlayConnection: { input: { id: string }; output: PlayConnection };
  /**
   * Real-time developer notifications of Google Play, pushed by Pub/Sub (`POST /v1/purchases/play-store/notifications/{appId}`)
   *
   * The address of a push subscription with authentication. What it says is a hint to ask Google Play; its list of voided purchases is read every hour in any case. A chargeback is kept and answered.
   *
   * Anybody may call it.
   */
  receivePlayNotification: {
    input: { appId: string; body: PlayPushBody };
    output: PlayPushReceived;
  };
  /**
   * Hand over a completed purchase transaction (`POST /v1/purchases/verify`)
   *
   * Checks the signature of the store offline, keeps the transaction and answers what the person is entitled to. To be sent again until it is answered. A purchase token of Google Play is looked up there and acknowledged.
   *
   * For a shipped app, with its publishable key.
   */
  verifyPurchase: { input: { body: AnyVerifyPurchaseBody }; output: Entitlement };
  /**
   * The signature that StoreKit wants for an offer (`POST /v1/purchases/offers/sign`)
   *
   * For the customer of the signed transaction in the request, by your In-App Purchase key: the publishable key proves nothing. Promotional offers are for customers who have, or had, a subscription of the group of the product, introductory ones for those who had none of the group; others are 403. At most 30 a minute for a device, 10 for a customer.
   *
   * For a shipped app, with its publishable key.
   */
  signOffer: { input: { body: SignOfferBody }; output: OfferSignature };
  /**
   * Whether this person may use what they paid for (`GET /v1/purchases/entitlement`)
   *
   * By user id, anonymous id, account token or transaction. Access lasts to the end of the paid period and through the grace period of the store; an app that gets no answer keeps what the device knows.
   *
   * For a shipped app, with its publishable key.
   */
  getEntitlement: {
    input: {
      query?: {
        originalTransactionId?: string;
        appAccountToken?: string;
        userId?: string;
        anonymousId?: string;
        entitlement?: string;
        productId?: string;
        environment?: 'Production' | 'Sandbox';
      };
    };
    output: Entitlement;
  };
  /**
   * Store server notifications V2, sent by the store (`POST /v1/purchases/notifications`)
   *
   * The address to set in App Store Connect. Authenticated by the signature of the store; answered once it is kept.
   *
   * Anybody may call it.
   */
  receiveStoreNotification: { input: { body: StoreNotification }; output: ReceivedNotification };
  /**
   * Whether a person may use what they paid for, for your backend (`GET /v1/apps/{id}/purchases/entitlement`)
   *
   * The same answer that the app of this person gets with its publishable key. A promotional grant is `active` with `ownership` and `chainId` null.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getPersonEntitlement: {
    input: {
      id: string;
      query?: {
        originalTransactionId?: string;
        appAccountToken?: string;
        userId?: string;
        anonymousId?: string;
        entitlement?: string;
        productId?: string;
        environment?: 'Production' | 'Sandbox';
      };
    };
    output: Entitlement;
  };
  /**
   * Subscribers and their money: MRR and its movement, trials, churn, refunds (`GET /v1/apps/{id}/purchases/overview`)
   *
   * Counted from what the store signed, so figures are live and need no report; `reported` says how many of the subscribers in the store's own report are known by name. Production, not family-shared, auto-renewable subscriptions count, unless a figure says otherwise. MRR is each active paid one's customer price × months⁻¹, before commission and tax; a transaction is converted once, at the ECB rate of its purchase day or the last of the seven days before. Movement is an identity: start + new + returned + expansion − contraction − churned + exchange = end. Days are of UTC. `docs/purchases.md` says what each figure means and why the store's own totals differ.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getPurchasesOverview: {
    input: {
      id: string;
      query?: {
        from?: string;
        to?: string;
        days?: number;
        currency?: string;
        environment?: 'Production' | 'Sandbox';
        store?: 'app_store' | 'google_play';
      };
    };
    output: PurchasesOverview;
  };
  /**
   * Revenue by day, product, country, offer and kind; with Accept: text/csv the points as CSV (`GET /v1/apps/{id}/purchases/revenue`)
   *
   * Cash, from what the store signed: each paid transaction on the day that it was bought, subscriptions and one-time purchases, without family sharing. Refunds stand twice: on the day of the purchase and on their own. Each transaction is converted once, at the ECB rate of its purchase day or the last of the seven days before, and rounded to the minor unit, so that all sums agree; what has no rate stands apart. `reported` holds the store's own sales of the same dates beside it and says why they differ.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getPurchaseRevenue: {
    input: {
      id: string;
      query?: {
        from?: string;
        to?: string;
        days?: number;
        interval?: 'day' | 'week' | 'month';
        timezone?: string;
        currency?: string;
        environment?: 'Production' | 'Sandbox';
        store?: 'app_store' | 'google_play';
        productId?: string;
        country?: string;
        offer?: string;
        kind?: 'new' | 'after_trial' | 'renewal' | 'one_time';
      };
    };
    output: PurchaseRevenue;
  };
  /**
   * What people are worth by when they came; with Accept: text/csv the periods as CSV (`GET /v1/apps/{id}/purchases/cohorts`)
   *
   * People by the interval in which they were first seen, began their first trial or paid first, and for each interval since: net revenue a person and a payer, the share that paid, and how many of their subscriptions are still paid. Everything adds up over the periods; refunds count by their own day; a period that is not over is null, and under fifty people there are only counts. Shares have Wilson's interval, means one of the normal distribution corrected for skewness (Johnson), both 95 %, means only from twenty payers on. `money` says where all of the revenue is, that of nobody known included.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getRevenueCohorts: {
    input: {
      id: string;
      query?: {
        by?: 'first_seen' | 'first_trial' | 'first_purchase';
        interval?: 'day' | 'week' | 'month';
        from?: string;
        to?: string;
        days?: number;
        timezone?: string;
        currency?: string;
        environment?: 'Production' | 'Sandbox';
        breakdown?: 'platform' | 'country' | 'appVersion' | 'arm' | 'product' | 'offering';
        experimentId?: string;
      };
    };
    output: RevenueCohorts;
  };
  /**
   * What came since a moment: new subscribers, refunds, failed payments (`GET /v1/apps/{id}/purchases/recent`)
   *
   * Of all customers of an app, newest first, a sentence each, by the store's clock and without family members. Amounts are in the currency of each purchase; `totals` adds up all of them by kind and currency, also those beyond the limit.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listRecentPurchases: {
    input: {
      id: string;
      query?: { since?: string; limit?: number; environment?: 'Production' | 'Sandbox' };
    };
    output: RecentPurchases;
  };
  /**
   * Import purchases that another provider knows (`POST /v1/apps/{id}/purchases/import`)
   *
   * Each line is verified with the store, with your purchase key, and bound to its user; then its history is read. Who holds a purchase already keeps it, unless the app shares purchases. Sending a line again changes nothing. It runs in the background and goes on after any outage.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  createPurchaseImport: { input: { id: string; body: NewPurchaseImport }; output: PurchaseImport };
  /**
   * The progress of an import, and the lines that were refused (`GET /v1/apps/{id}/purchases/import/{importId}`)
   *
   * waiting + bound + refused = total.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getPurchaseImport: {
    input: { id: string; importId: string; query?: { afterLine?: number; limit?: number } };
    output: PurchaseImport;
  };
  /**
   * Promotional entitlements, newest first (`GET /v1/apps/{id}/purchases/grants`)
   *
   * Those in force have `endedAt` null. `userId` asks for those of one person.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listPurchaseGrants: {
    input: { id: string; query?: { userId?: string; cursor?: string; limit?: number } };
    output: PurchaseGrantsPage;
  };
  /**
   * Let a person use a product, or what a name stands for, without paying (`POST /v1/apps/{id}/purchases/grants`)
   *
   * A person has one grant of a product or name: granting it again changes its end and note. One of a name follows the name. It never counts as paid, in MRR or as a trial. An audit row says who granted it, and `entitlement.changed` is announced.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  grantEntitlement: { input: { id: string; body: NewPurchaseGrant }; output: PurchaseGrant };
  /**
   * Revoke a promotional entitlement at once (`DELETE /v1/apps/{id}/purchases/grants/{grantId}`)
   *
   * Purchases of the person stay as they are. Does nothing to a grant that ended.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  revokeEntitlement: { input: { id: string; grantId: string }; output: undefined };
  /**
   * The signature that StoreKit wants for an offer, for your backend (`POST /v1/apps/{id}/purchases/offer-signatures`)
   *
   * As `signOffer`, for a customer that the request names. Somebody who may not have the offer is 403 here too. At most 10 a minute for a customer.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  signOfferForCustomer: {
    input: { id: string; body: SignOfferForCustomerBody };
    output: OfferSignature;
  };
  /**
   * Let the store extend a subscription by up to 90 days (`POST /v1/apps/{id}/purchases/extensions`)
   *
   * For an outage, or to make up for something: the customer pays later. It cannot be undone, the store writes the customer a mail, and allows two within 365 days of an active, paid subscription. The same `requestIdentifier` again extends nothing and is answered as before.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  extendRenewal: { input: { id: string; body: ExtendRenewalBody }; output: RenewalExtension };
  /**
   * Set the account token of a purchase at the store (`POST /v1/apps/{id}/purchases/account-token`)
   *
   * For a purchase that was made outside of the app, such as with an offer code. It takes the place of the one before, for this purchase and its later renewals; what the store signs from then on names it, and the purchase then belongs to its account.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  setPurchaseAccountToken: {
    input: { id: string; body: SetAccountTokenBody };
    output: PurchaseAccountToken;
  };
  /**
   * How the refund requests of an app are answered (`GET /v1/apps/{id}/purchases/refund-answers`)
   *
   * Off until somebody says otherwise, and never without consent. Chargebacks of Google Play too.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  getRefundAnswers: { input: { id: string }; output: RefundAnswers };
  /**
   * Change how refund requests are answered (`PATCH /v1/apps/{id}/purchases/refund-answers`)
   *
   * What is left out stays. Requests that were not answered for the settings before are looked at again while the store waits.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  updateRefundAnswers: { input: { id: string; body: RefundAnswersChange }; output: RefundAnswers };
  /**
   * Answer the refund requests of one person otherwise (`PUT /v1/apps/{id}/purchases/refund-answers/person`)
   *
   * What is left out, or null, is as for everybody; without either it ends.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  setRefundAnswersOfPerson: {
    input: { id: string; body: RefundAnswersOfPersonChange };
    output: RefundAnswers;
  };
  /**
   * What the store asked about refunds, how it was answered, and what it decided (`GET /v1/apps/{id}/purchases/refund-requests`)
   *
   * Newest first. A request is answered once, within twelve hours; a chargeback of Google Play within 24.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listRefundRequests: {
    input: {
      id: string;
      query?: { state?: 'waiting' | 'answered' | 'not_answered'; cursor?: string; limit?: number };
    };
    output: RefundRequestsPage;
  };
  /**
   * List consents taken back and external purchase tokens to report (`GET /v1/apps/{id}/purchases/notices`)
   *
   * Notifications of the App Store that a person has to act on, newest first, with the people whose purchases the customer made.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listStoreNotices: {
    input: { id: string; query?: { state?: 'open' | 'resolved'; cursor?: string; limit?: number } };
    output: StoreNoticesPage;
  };
  /**
   * Mark a notice of the store as dealt with, or as open again (`PUT /v1/apps/{id}/purchases/notices/{noticeId}`)
   *
   * Insights show open notices of production until then. Nothing is sent to the store, and access does not change.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  resolveStoreNotice: {
    input: { id: string; noticeId: string; body: StoreNoticeChange };
    output: StoreNotice;
  };
  /**
   * Purchases with who holds them, newest first, or those that a search finds (`GET /v1/apps/{id}/purchases/customers`)
   *
   * `search` takes a user id, an anonymous id, an account token, a transaction id, or the order id of the store's mail. What looks like an order id and is not known here is looked up at the store with your purchase key (production only); what it finds is recorded.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listPurchaseCustomers: {
    input: {
      id: string;
      query?: {
        search?: string;
        state?: 'active' | 'trouble' | 'ended';
        environment?: 'Production' | 'Sandbox';
        cursor?: string;
        limit?: number;
      };
    };
    output: PurchaseCustomersPage;
  };
  /**
   * One customer: purchases, their history, and why they are entitled (`GET /v1/apps/{id}/purchases/customers/{customerId}`)
   *
   * By user id, or by the original transaction id of a purchase that nobody holds. `reason` says why this person is entitled or not, as a code for programs and a sentence for people; `history` what happened, a sentence each, newest first.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getPurchaseCustomer: { input: { id: string; customerId: string }; output: PurchaseCustomer };
  /**
   * Ask the store how the purchases of a customer stand now (`POST /v1/apps/{id}/purchases/customers/{customerId}/refresh`)
   *
   * With your purchase key, once for each environment: the store answers with everything that its customer bought. What it signs is recorded, and the customer is answered as it is then.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  refreshPurchaseCustomer: { input: { id: string; customerId: string }; output: PurchaseCustomer };
  /**
   * The customer of an id: purchases, their history, and why they are entitled (`GET /v1/apps/{id}/purchases/customer`)
   *
   * As `getPurchaseCustomer`, for any id: in a path `.` and `..` are resolved on the way.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getPurchaseCustomerById: {
    input: { id: string; query: { customerId: string } };
    output: PurchaseCustomer;
  };
  /**
   * Ask the store how the purchases of the customer of an id stand now (`POST /v1/apps/{id}/purchases/customer/refresh`)
   *
   * As `refreshPurchaseCustomer`, for any id: in a path `.` and `..` are resolved on the way.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  refreshPurchaseCustomerById: {
    input: { id: string; body: RefreshPurchaseCustomerBody };
    output: PurchaseCustomer;
  };
  /**
   * The named entitlements of an app, and the products that they can stand for (`GET /v1/apps/{id}/entitlements`)
   *
   * A name such as `pro` stands for products any of which gives it. Products are those of the catalogue of the store, of signed transactions and of sales reports; what was bought and is in no catalogue is listed too.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  getNamedEntitlements: { input: { id: string }; output: NamedEntitlements };
  /**
   * Set the named entitlements of an app (`PUT /v1/apps/{id}/entitlements`)
   *
   * In place of all before. A product that is neither in the catalogue of the store nor was bought or reported is refused, and so is leaving out a name that something uses. Devices get the names within two seconds.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  setNamedEntitlements: {
    input: { id: string; body: NewNamedEntitlements };
    output: NamedEntitlements;
  };
  /**
   * How purchases of an app are owned, tested and forwarded (`GET /v1/apps/{id}/purchases/settings`)
   *
   * Whose a purchase is when another user presents it, who may use sandbox purchases, and where notifications are forwarded.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  getPurchaseSettings: { input: { id: string }; output: PurchaseSettings };
  /**
   * Change some of the settings (`PATCH /v1/apps/{id}/purchases/settings`)
   *
   * What is left out stays. Switching forwarding on shows its secret this once.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  updatePurchaseSettings: {
    input: { id: string; body: PurchaseSettingsChange };
    output: ChangedPurchaseSettings;
  };
  /**
   * When the store last sent a notification about an app, and a test one (`GET /v1/apps/{id}/purchases/notifications`)
   *
   * null in an environment from which none has come: set the address of the notifications in App Store Connect.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  getSeenPurchaseNotifications: { input: { id: string }; output: SeenPurchaseNotifications };
  /**
   * Who held which purchase when, newest first (`GET /v1/apps/{id}/purchases/audit`)
   *
   * Every link, claim and transfer of a purchase, a page at a time.
   *
   * For an organization key or a signed-in member with the permission `app:read`.
   */
  listPurchaseAudit: {
    input: {
      id: string;
      query?: { originalTransactionId?: string; cursor?: string; limit?: number };
    };
    output: PurchaseAuditPage;
  };
  /**
   * Read the store connection, without its key (`GET /v1/store/connection`)
   *
   * null where none is connected. `lastError` says what to do.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getStoreConnection: { input: Record<never, never>; output: StoreConnection | null };
  /**
   * Verify a store key with the store and connect it (`POST /v1/store/connection`)
   *
   * Kept sealed and never returned. Sales of the last year are collected in the background.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  connectStore: { input: { body: ConnectStoreBody }; output: ConnectedStore };
  /**
   * Destroy the store key; sales that were collected stay (`DELETE /v1/store/connection`)
   *
   * Nothing is collected any more.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  disconnectStore: { input: Record<never, never>; output: undefined };
  /**
   * List the apps of the store account, linked and unlinked (`GET /v1/store/apps`)
   *
   * As they were last seen in the store; refresh asks it.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listStoreApps: { input: Record<never, never>; output: StoreAppLink[] };
  /**
   * Ask the store for the apps and their states now (`POST /v1/store/apps/refresh`)
   *
   * `count` is how many apps the account has.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  refreshStoreApps: { input: Record<never, never>; output: RefreshedStoreApps };
  /**
   * Link a store app to an app, or unlink it (`POST /v1/store/apps/link`)
   *
   * Sales of a linked store app are those of the app.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  linkStoreApp: { input: { body: LinkStoreAppBody }; output: LinkedStoreApp };
  /**
   * Make an app of a store app (`POST /v1/apps/import`)
   *
   * Name and bundle id come from the store, as they were last seen there.
   *
   * For an organization key or a signed-in member with the permission `app:update`.
   */
  importApp: { input: { body: ImportAppBody }; output: App };
  /**
   * The account whose reports of Google Play are read, without its key (`GET /v1/store/google-play`)
   *
   * null where none is connected. `lastError` says what to do.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getGooglePlayAccount: { input: Record<never, never>; output: GooglePlayAccount | null };
  /**
   * Connect the reports of a Google Play account; they are listed first (`PUT /v1/store/google-play`)
   *
   * The key is kept sealed and never returned. Sales, earnings and installs of 25 months are read in the background, then every six hours.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  connectGooglePlayAccount: {
    input: { body: ConnectGooglePlayAccountBody };
    output: GooglePlayAccount;
  };
  /**
   * Destroy the key of the reports; what was read stays (`DELETE /v1/store/google-play`)
   *
   * Nothing is read any more.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  disconnectGooglePlayAccount: { input: Record<never, never>; output: undefined };
  /**
   * Read the reports of Google Play that changed now (`POST /v1/store/google-play/read`)
   *
   * Answers at once; reading goes on in the background.
   *
   * For an organization key or a signed-in member with the permission `analytics:sync`.
   */
  readGooglePlayReports: { input: Record<never, never>; output: GooglePlayAccount };
  /**
   * Subscriptions by day, product, country, price and offer, as the store reports them (`GET /v1/store/subscriptions`)
   *
   * Paid: in a paid period, at the standard price or a paid offer. Trials, grace period and billing retry are counted apart and never added, since the store does not say whether its counts overlap. Every day is a snapshot of the store’s Pacific day, so days do not add up; the breakdowns are those of the day `through`.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getStoreSubscriptions: {
    input: {
      query?: {
        from?: string;
        to?: string;
        days?: number;
        storeAppId?: string;
        country?: string;
        subscriptionId?: string;
      };
    };
    output: Subscriptions;
  };
  /**
   * The webhook with which the store tells of versions, without its secret (`GET /v1/apps/{id}/store-webhook`)
   *
   * null before one was made.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  getStoreWebhook: { input: { id: string }; output: StoreWebhook | null };
  /**
   * Make the webhook in the store’s account, or give it a new secret (`POST /v1/apps/{id}/store-webhook`)
   *
   * A key that may not make webhooks leaves it to a person: the answer has the secret to enter then. The secret before holds for another day.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  createStoreWebhook: { input: { id: string }; output: MadeStoreWebhook };
  /**
   * Remove the webhook, in the store’s account too where the key made it (`DELETE /v1/apps/{id}/store-webhook`)
   *
   * States of versions are then read once a day.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  deleteStoreWebhook: { input: { id: string }; output: undefined };
  /**
   * Webhooks of App Store Connect, sent by the store (`POST /v1/store/webhooks/{hookId}`)
   *
   * Signed with the secret of the address (x-apple-signature). What it says is a hint to ask the store again; each is taken once.
   *
   * Anybody may call it.
   */
  receiveStoreWebhook: {
    input: { hookId: string; body: StoreWebhookBody };
    output: StoreWebhookReceived;
  };
  /**
   * Written reviews of the linked store app, newest first (`GET /v1/apps/{id}/reviews`)
   *
   * Collected hourly at most. The store does not tell the version of a review: it is the one on sale when it was written, in every territory the same. Ratings without words are not among them.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  listStoreReviews: {
    input: {
      id: string;
      query?: {
        rating?: number;
        territory?: string;
        version?: string;
        limit?: number;
        cursor?: string;
      };
    };
    output: StoreReviews;
  };
  /**
   * Mean and number of reviews by version, each against the version before (`GET /v1/apps/{id}/reviews/summary`)
   *
   * The difference of means is tested by permutation of the reviews, exactly where one version has 40 or fewer. Versions with fewer than 20 reviews are not compared.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getStoreReviewSummary: { input: { id: string }; output: StoreReviewSummary };
  /**
   * The store’s analytics reports of the linked store app, and its funnel (`GET /v1/apps/{id}/store-reports`)
   *
   * Engagement, downloads by source, installs and deletions, sessions, crashes, subscription states and events; of each day the rows of the newest file. Days are the store’s, 30 without a window. Downloads and trials stand beside those of the sales reports, which money and all other figures are of.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getStoreReports: {
    input: { id: string; query?: { from?: string; to?: string } };
    output: StoreReports;
  };
  /**
   * Request the store’s analytics reports, which changes its account (`POST /v1/apps/{id}/store-reports/requests`)
   *
   * ONGOING makes files daily from then on, ONE_TIME_SNAPSHOT once of the past. Needs a key with the role Admin. A request that is there already is taken; one that the store stopped is deleted and made anew. First files come after one or two days.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  requestStoreReports: {
    input: { id: string; body: NewStoreReportRequest };
    output: StoreReportRequest;
  };
  /**
   * The settings of the organization (`GET /v1/organization/settings`)
   *
   * Its currency, US dollars until it chooses one: money of sales, purchases, experiments, insights and digests is in it. Each transaction is converted once, at the European Central Bank’s rate of its purchase day or the last of the seven days before.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getOrganizationSettings: { input: Record<never, never>; output: OrganizationSettings };
  /**
   * Set the currency of the organization (`PUT /v1/organization/settings`)
   *
   * Nothing that is stored changes: figures of the past are shown in it too, each transaction at the rate of its own day. A currency without exchange rates is refused.
   *
   * For an organization key or a signed-in member with the permission `integration:manage`.
   */
  setOrganizationSettings: {
    input: { body: ChangeOrganizationSettings };
    output: OrganizationSettings;
  };
  /**
   * Sales, downloads and proceeds of a window of Pacific days (`GET /v1/analytics`)
   *
   * From the daily reports of the store, a day late. Money is in integer minor units of `currency`, each day at the rate of the European Central Bank; what has no rate is in `unconverted` and in no total. `freshness` says which days are there. All of it can be narrowed to an app, a country and a product; a country or product without sales is all zeros.
   *
   * For an organization key or a signed-in member with the permission `analytics:read`.
   */
  getSalesAnalytics: {
    input: {
      query?: {
        from?: string;
        to?: string;
        days?: number;
        currency?: string;
        store?: 'app_store' | 'google_play' | 'all';
        storeAppId?: string;
        country?: string;
        sku?: string;
      };
    };
    output: Analytics;
  };
  /**
   * Collect what is due from the store now (`POST /v1/analytics/sync`)
   *
   * Answers with what is still missing; collecting goes on by itself.
   *
   * For an organization key or a signed-in member with the permission `analytics:sync`.
   */
  syncSales: { input: { body?: SyncAnalyticsBody }; output: SyncedAnalytics };
  /**
   * Wake every organization; for the scheduler (`POST /internal/analytics/sync-all`)
   *
   * Starts collecting for every connected organization and waits for the short ones.
   *
   * For the scheduler, with the secret in `x-cron-secret`.
   */
  syncAllSales: { input: Record<never, never>; output: SyncedOrganizations };
}
