import type { StoreState } from '../../shared/app.ts';
import type { AppStoreKey } from '../../shared/app-store-token.ts';
import type { StoreFailure } from '../../shared/store-error.ts';
import type { StoreProduct } from '../../shared/store-product.ts';

export type StoreFaultKind = StoreFailure | 'unexpected' | 'protocol';

export class StoreFault extends Error {
  override readonly name = 'StoreFault';
  readonly kind: StoreFaultKind;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: StoreFaultKind,
    message: string,
    { retryAfterSeconds, ...options }: ErrorOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function isTransient(fault: StoreFault): boolean {
  return fault.kind === 'unavailable' || fault.kind === 'unexpected';
}

export class ReportFormatError extends Error {
  override readonly name = 'ReportFormatError';
}

export type StoreKey = AppStoreKey;

export type StoreAppRecord = { storeAppId: string; bundleId: string; name: string; sku: string };

export type StoreAppStatus = {
  state: StoreState;
  version: string | null;
  /** A later version in progress beside the live one. */
  inFlight: { state: StoreState; version: string | null } | null;
  releases: StoreRelease[];
};

export type StoreRelease = { platform: string; version: string; createdAt: Date };

export type StoreReview = {
  reviewId: string;
  rating: number;
  title: string;
  body: string;
  nickname: string;
  /** Alpha-2; as the store writes it when unknown. */
  territory: string;
  createdAt: Date;
};

export type AccountWebhook = {
  storeAppId: string;
  url: string;
  secret: string;
  /** Null makes one. */
  webhookId: string | null;
};

export type ReviewPage = {
  reviews: StoreReview[];
  /** Opaque; null on the last page. */
  next: string | null;
  remainingInHour: number | null;
};

export const REPORT_TYPES = ['SALES', 'SUBSCRIPTION_EVENT', 'SUBSCRIPTION'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export type ReportRequest = {
  vendorNumber: string;
  reportType: ReportType;
  /** Pacific, `YYYY-MM-DD`. */
  day: string;
  version: string | null;
};

/** Exact decimals; `proceeds` and `customerSpend` cover all units, signed. */
export type SalesFact = {
  line: number;
  storeId: string;
  /** The app's, where reported beside the product. */
  parentStoreId: string | null;
  sku: string;
  /** The app's, for in-app purchases. */
  parentSku: string | null;
  title: string;
  productType: string;
  country: string;
  device: string;
  units: string;
  bundleCredit: boolean;
  /** Null unless reported for a subscription. */
  isRenewal: boolean | null;
  trials: number;
  proceeds: string;
  proceedsCurrency: string;
  customerSpend: string;
  customerCurrency: string;
};

export const SUBSCRIPTION_PLANS = [
  'standard',
  'introductory',
  'promotional',
  'offer_code',
  'win_back',
] as const;
export type SubscriptionPlan = (typeof SUBSCRIPTION_PLANS)[number];

/** One plan in one snapshot row; prices are exact decimals. */
export type SubscriptionFact = {
  line: number;
  storeAppId: string;
  subscriptionId: string;
  name: string;
  groupId: string;
  /** Verbatim: `7 Days`, `1 Month`, `1 Year` … */
  duration: string;
  offerName: string;
  offerId: string;
  customerPrice: string;
  customerCurrency: string;
  proceeds: string;
  proceedsCurrency: string;
  preservedPrice: boolean;
  country: string;
  device: string;
  plan: SubscriptionPlan;
  paid: number;
  trials: number;
  optIns: number;
  grace: number;
  billingRetry: number;
};

/** Throws StoreFault for a broken archive. */
export type Report = {
  raw: Uint8Array;
  contentHash: () => Promise<string>;
} & (
  | { holds: 'sales'; facts: Facts<SalesFact> }
  | { holds: 'subscriptions'; facts: Facts<SubscriptionFact> }
);

/** Throws ReportFormatError for inexact rows. */
type Facts<Fact> = () => AsyncIterable<Fact[]>;

export type ReportAnswer = {
  /** In the store's rolling hour; null when not reported. */
  remainingInHour: number | null;
  requests: number;
} & (
  | { kind: 'report'; report: Report; version: string | null }
  | { kind: 'no_sales' }
  | { kind: 'not_yet' }
  /** Past the store's retention of a year. */
  | { kind: 'gone' }
  | { kind: 'unclear'; detail: string }
);

/** At most two requests per key at a time, over all hosts. */
export type StoreRateLimit = <T>(keyId: string, request: () => Promise<T>) => Promise<T>;

export const REPORT_ACCESSES = ['ONGOING', 'ONE_TIME_SNAPSHOT'] as const;
export type ReportAccess = (typeof REPORT_ACCESSES)[number];

export const APP_REPORTS = [
  'engagement',
  'downloads',
  'installs',
  'sessions',
  'crashes',
  'subscription_state',
  'subscription_event',
] as const;
export type AppReport = (typeof APP_REPORTS)[number];

export type AppReportRequest = { requestId: string; access: ReportAccess; isStopped: boolean };
export type AppReportInstance = { instanceId: string; processingDate: string };
/** `url` works for five minutes and without the token. */
export type AppReportSegment = { url: string; checksum: string | null };
export type AppReportFile = { raw: Uint8Array; isChecksumRight: boolean };

/** Counts of one day; distinct devices and people never add up and are left out. */
export type AppReportFact = {
  day: string;
  kind: string;
  grouping: string;
  source: string;
  version: string;
  territory: string;
  count: number;
  seconds: number;
};

export interface AppReports {
  appReportRequests(key: StoreKey, storeAppId: string): Promise<AppReportRequest[]>;
  /** Null when one of the kind exists already. Throws StoreFault `role` without an Admin's key. */
  makeAppReportRequest(
    key: StoreKey,
    storeAppId: string,
    access: ReportAccess,
  ): Promise<string | null>;
  deleteAppReportRequest(key: StoreKey, requestId: string): Promise<void>;
  /** Ids of those that the account is entitled to. */
  offeredAppReports(key: StoreKey, requestId: string): Promise<Map<AppReport, string>>;
  appReportInstances(key: StoreKey, reportId: string): Promise<AppReportInstance[]>;
  appReportSegments(key: StoreKey, instanceId: string): Promise<AppReportSegment[]>;
  appReportFile(segment: AppReportSegment): Promise<AppReportFile>;
  /** Throws ReportFormatError. */
  appReportFacts(
    report: AppReport,
    storeAppId: string,
    raw: Uint8Array,
  ): AsyncIterable<AppReportFact[]>;
}

export interface Store extends AppReports {
  checkKey(key: StoreKey): Promise<void>;
  listApps(key: StoreKey): Promise<StoreAppRecord[]>;
  appStatus(key: StoreKey, storeAppId: string): Promise<StoreAppStatus>;
  /** Icon of the newest build; null when missing or invisible to the key. */
  appIcon(key: StoreKey, storeAppId: string): Promise<string | null>;
  /** In every state: what was withdrawn still renews. */
  listProducts(key: StoreKey, storeAppId: string): Promise<StoreProduct[]>;
  dailyReport(key: StoreKey, request: ReportRequest): Promise<ReportAnswer>;
  putWebhook(key: StoreKey, webhook: AccountWebhook): Promise<string>;
  deleteWebhook(key: StoreKey, webhookId: string): Promise<void>;
  reviewPage(key: StoreKey, storeAppId: string, next: string | null): Promise<ReviewPage>;
}
