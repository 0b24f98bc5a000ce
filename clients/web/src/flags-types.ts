import type { AskError } from './ask-types.ts';

export type FlagValue = boolean | number | string | object;

/** Where the last answer outlives the app: `AsyncStorage`, or `localStorage`. */
export interface FlagStorage {
  getItem(name: string): string | null | Promise<string | null>;
  setItem(name: string, value: string): unknown;
}

export interface FlagsOptions {
  /** The app's flag key (`svf_…`): it reads flags, which may be an exposure. */
  key: string;
  /** Address of the service, such as `https://events.example.com`. */
  url: string;
  /** Who gets the values: `client.anonymousId()`, or any id that stays. */
  person: string | null;
  /** What rules go by: `platform`, `appVersion`, `osVersion`, `locale`, `country` and whatever else. */
  context?: Record<string, boolean | number | string | null | undefined>;
  /** Bundled with the app: what holds until the service has answered once. */
  defaults?: Record<string, FlagValue>;
  /** Where the last answer outlives the app; without it, only as long as this object. */
  storage?: FlagStorage;
  /** Default `cp.flags`. */
  storageKey?: string;
  /** Milliseconds between two questions; default 30,000, at least 5,000. 0: only `refresh()` asks. */
  refreshMs?: number;
  /** Milliseconds after which an answer is done without; default 2000. */
  timeoutMs?: number;
  /** Why there is no answer. Without it a fault that no retry mends is said once on the console. */
  onError?: (error: AskError) => void;
}

export interface ReadFlag {
  (name: string, fallback: boolean): boolean;
  (name: string, fallback: number): number;
  (name: string, fallback: string): string;
  <T extends object>(name: string, fallback: T): T;
}

export interface Flags {
  /** Once what is kept has been read and the service has answered, or has not in time. Never rejects. */
  ready: Promise<void>;
  /**
   * The value of the last answer, else of `defaults`, else the fallback: the first that is of the
   * fallback's type. Never throws.
   */
  flag: ReadFlag;
  /** Asks now; whether there was an answer. Never rejects. */
  refresh(): Promise<boolean>;
  /** Another person, another context: what the earlier ones were given is no longer shown. */
  use(person: string | null, context?: FlagsOptions['context']): Promise<boolean>;
  /** Called when a value has changed; gives what ends that. */
  onChange(listener: () => void): () => void;
  /** Asks no more. */
  stop(): void;
}
