export interface AskOptions {
  /** The app's publishable key (`svp_…`). Never an organization key. */
  key: string;
  /** Address of the service, such as `https://events.example.com`. */
  url: string;
  /** Milliseconds after which the answer is done without; default 2000. */
  timeoutMs?: number;
  /** Why there is no answer. Without it a fault that no retry mends is said once on the console. */
  onError?: (error: AskError) => void;
}

export interface AskError {
  code: 'invalid_options' | 'no_answer' | 'refused';
  message: string;
  /** HTTP status of the answer, when there was one. */
  status?: number;
}

/** What the service says of a person; null where no experiment runs. */
export interface Assignment {
  onboarding: { id: string; name: string; config: unknown } | null;
  arm: { experimentId: string; experimentName: string; armId: string; armName: string } | null;
}

export interface OfferingPackage {
  identifier: string;
  productIds: string[];
  metadata?: unknown;
}

export interface Offering {
  identifier: string;
  name: string;
  packages: OfferingPackage[];
  metadata?: unknown;
}

export interface Offerings {
  /** The identifier of the offering to show. */
  current: string | null;
  offerings: Offering[];
  /** The flag that chose it; null for the default. */
  chosenBy: { flag: string; variant: string; reason: string } | null;
}

/** What a person may use. Newer releases of the service may know further values of `status`. */
export interface Entitlement {
  entitled: boolean;
  status: string;
  productId: string | null;
  expiresAt: string | null;
  graceExpiresAt: string | null;
  willRenew: boolean;
  ownership: string | null;
  originalTransactionId: string | null;
  /** `Sandbox` for a purchase of a tester or reviewer. */
  environment?: string;
  checkedAt: string;
  /** Where the app has named entitlements: one for each name. */
  entitlements?: EntitlementOfName[];
}

export interface EntitlementOfName {
  name: string;
  status: string;
  productId: string | null;
  expiresAt: string | null;
  willRenew: boolean;
  store: string | null;
  environment: string;
}

/** By whom the service is asked: at least one of the two. */
export interface Who {
  userId?: string | null;
  anonymousId?: string | null;
}

/** Where the last answer outlives the app: `AsyncStorage`, or `localStorage`. */
export interface EntitlementStorage {
  getItem(name: string): string | null | Promise<string | null>;
  setItem(name: string, value: string): unknown;
  removeItem(name: string): unknown;
}
