import type { StoreState } from '../../shared/app.ts';
import type { AppStoreKey } from '../../shared/app-store-token.ts';
import type { StoreFailure } from '../../shared/store-error.ts';

/** Why the store gave no usable answer. */
export type StoreFaultKind =
  | StoreFailure
  /** The store's own "unexpected error", which it also answers for made-up vendor numbers. */
  | 'unexpected'
  /** An answer that does not follow the store's format. */
  | 'protocol';

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

/** Faults that a retry may cure. */
export function isTransient(fault: StoreFault): boolean {
  return fault.kind === 'unavailable' || fault.kind === 'unexpected';
}

/** A report of a shape that this service does not know. */
export class ReportFormatError extends Error {
  override readonly name = 'ReportFormatError';
}

/** The App Store Connect key of one organization. */
export type StoreKey = AppStoreKey;

export type StoreAppRecord = { storeAppId: string; bundleId: string; name: string; sku: string };

export type StoreAppStatus = {
  state: StoreState;
  version: string | null;
  /** A later version on its way while another is live. */
  inFlight: { state: StoreState; version: string | null } | null;
};

export const REPORT_TYPES = ['SALES', 'SUBSCRIPTION_EVENT', 'SUBSCRIPTION'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export type ReportRequest = {
  vendorNumber: string;
  reportType: ReportType;
  /** Pacific day, `YYYY-MM-DD`. */
  day: string;
  /** The version to ask for first; null leaves it out. */
  version: string | null;
};

/**
 * One row of a report in our words. Amounts are exact decimals as strings; `proceeds` and
 * `customerSpend` are for all units of the row, with the sign of the units.
 */
export type SalesFact = {
  line: number;
  /** The store's id of what was sold: the app's, or the in-app purchase's own. */
  storeId: string;
  /** The app's id where the report names it beside the product, else null. */
  parentStoreId: string | null;
  sku: string;
  /** The app's SKU on rows of in-app purchases, else null. */
  parentSku: string | null;
  title: string;
  productType: string;
  country: string;
  device: string;
  units: string;
  bundleCredit: boolean;
  /** Of a subscription; null where the report does not say. */
  isRenewal: boolean | null;
  trials: number;
  proceeds: string;
  proceedsCurrency: string;
  customerSpend: string;
  customerCurrency: string;
};

/** Under which terms somebody is subscribed; every offer has paid and free ones. */
export const SUBSCRIPTION_PLANS = [
  'standard',
  'introductory',
  'promotional',
  'offer_code',
  'win_back',
] as const;
export type SubscriptionPlan = (typeof SUBSCRIPTION_PLANS)[number];

/** Subscriptions of one plan in one row of the daily snapshot. Prices are exact decimals. */
export type SubscriptionFact = {
  line: number;
  storeAppId: string;
  subscriptionId: string;
  name: string;
  groupId: string;
  /** As the store writes it: `7 Days`, `1 Month`, `1 Year` … */
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

/** A daily report. Reading it throws StoreFault for a broken archive. */
export type Report = {
  /** As it came, mostly gzip. */
  raw: Uint8Array;
  /** SHA-256 of its plain text. */
  contentHash: () => Promise<string>;
} & (
  | { holds: 'sales'; facts: Facts<SalesFact> }
  | { holds: 'subscriptions'; facts: Facts<SubscriptionFact> }
);

/** The rows of a report, a few at a time. Throws ReportFormatError for a row that is not exact. */
type Facts<Fact> = () => AsyncIterable<Fact[]>;

export type ReportAnswer = {
  /** Requests left in the store's rolling hour; null when it did not say. */
  remainingInHour: number | null;
  requests: number;
} & (
  | { kind: 'report'; report: Report; version: string | null }
  /** The store says that nothing was sold on that day. */
  | { kind: 'no_sales' }
  /** The report is not made yet: ask again later. */
  | { kind: 'not_yet' }
  /** Past the store's retention of a year. */
  | { kind: 'gone' }
  /** A 404 whose words say neither. */
  | { kind: 'unclear'; detail: string }
);

/** Lets one request of a key through when fewer than two of it are under way, on any host. */
export type StoreRateLimit = <T>(keyId: string, request: () => Promise<T>) => Promise<T>;

/** Everything that this service asks of the store. Every method throws StoreFault. */
export interface Store {
  /** Whether the store accepts the key at all; says nothing about the vendor number. */
  checkKey(key: StoreKey): Promise<void>;
  /** Every app of the account, all pages. */
  listApps(key: StoreKey): Promise<StoreAppRecord[]>;
  appStatus(key: StoreKey, storeAppId: string): Promise<StoreAppStatus>;
  /** An https address of the newest build's icon; null when there is none or the key may not see it. */
  appIcon(key: StoreKey, storeAppId: string): Promise<string | null>;
  dailyReport(key: StoreKey, request: ReportRequest): Promise<ReportAnswer>;
}
