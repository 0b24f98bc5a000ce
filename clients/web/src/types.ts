/** What a property may hold; anything else is left out and reported. */
export type PropertyValue = string | number | boolean | null;
export type Properties = Record<string, PropertyValue | undefined>;

export type ErrorCode =
  | 'invalid_options'
  | 'invalid_name'
  | 'invalid_property'
  | 'invalid_user_id'
  | 'event_too_large'
  | 'queue_full'
  | 'storage_unavailable'
  | 'batch_dropped'
  | 'not_delivered'
  | 'unexpected';

/** What went wrong, for logs; the client has already dealt with it. */
export interface ClientError {
  code: ErrorCode;
  message: string;
  /** HTTP status of the answer, when there was one. */
  status?: number;
  /** What the service said of it, in its own words. */
  server?: ServerReason;
}

export interface ServerReason {
  code: string;
  message: string;
  /** What can be done about it. */
  hint?: string;
}

export interface Options {
  /** The app's publishable key (`svp_…`). Never an organization key. */
  key: string;
  /** Address of the service, such as `https://events.example.com`. */
  url: string;
  /** Path under `url`, for those who forward events through their own domain. Default `/v1/events`. */
  path?: string;
  appVersion?: string;
  osVersion?: string;
  /** Default: the browser's language. */
  locale?: string;
  /** Two letters (ISO 3166-1); anything else is left out. */
  country?: string;
  platform?: 'ios' | 'android' | 'web' | 'macos' | 'other';
  /** Milliseconds between flushes; default 3000, at least 250. */
  flushIntervalMs?: number;
  /** Events in a batch; default 20, clamped to 1..100. Batches fill to 100 when more than 100 wait. */
  batchSize?: number;
  /** Start of every storage key; default `cp.`. Two apps on one origin need two. */
  storagePrefix?: string;
  /** Writes a line to the console for each batch and its answer. */
  debug?: boolean;
  onError?: (error: ClientError) => void;
}

export interface Client {
  track(name: string, props?: Properties): void;
  /** `track('screen_viewed', { screen: name })`. */
  screen(name: string): void;
  /** An opaque id for later events, never an e-mail address; null clears it. */
  identify(userId: string | null): void;
  /** The id to ask for experiments and entitlements with; null after `optOut`. */
  anonymousId(): string | null;
  /** For a shared device: new anonymous id and session, no user id. Unsent events keep theirs. */
  reset(): void;
  /** Sends what waits, now. Never rejects; returns at once while another flush runs. */
  flush(): Promise<void>;
  /** Stops for good on this device: the queue and every id are deleted, nothing more is kept. */
  optOut(): void;
  /** Takes `optOut` back; the person starts as a new one. */
  optIn(): void;
  /** Lets go of timers and listeners; what is unsent goes with the next page. */
  stop(): void;
}

/** One event as it goes over the wire. */
export interface WireEvent {
  id: string;
  name: string;
  ts: string;
  anonymousId: string;
  userId?: string;
  sessionId: string;
  props?: Record<string, PropertyValue>;
}

/** `reason` is whatever was thrown, or a sentence. */
export type Report = (
  code: ErrorCode,
  reason: unknown,
  answer?: { status: number; server?: ServerReason },
) => void;
