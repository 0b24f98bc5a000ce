import type { Client, Options } from './types.ts';

/** The part of AsyncStorage that the client uses; `expo-sqlite/kv-store` has it too. */
export interface AsyncStorageLike {
  getAllKeys(): Promise<readonly string[]>;
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<unknown>;
  removeItem(key: string): Promise<unknown>;
}

/** The part of React Native's `AppState` that the client uses. */
export interface AppStateLike {
  addEventListener(
    type: 'change',
    hear: (state: 'active' | 'background' | 'inactive' | 'unknown' | 'extension') => void,
  ): { remove(): void };
}

/** The part of `@react-native-community/netinfo` that the client uses. */
export interface NetInfoLike {
  addEventListener(hear: (state: { isConnected: boolean | null }) => void): () => void;
}

export interface NativeOptions extends Omit<Options, 'platform'> {
  /** `AsyncStorage`: where unsent events and ids outlive the app. */
  storage: AsyncStorageLike;
  /** `AppState`: what waits is sent when the app goes to the background. */
  appState?: AppStateLike;
  /** `NetInfo`: what waits is sent as soon as the network is back, instead of at the next try. */
  netInfo?: NetInfoLike;
  /** `Platform.OS`; what the service does not know counts as `other`. */
  platform?: string;
  /**
   * An id that nobody else has: `randomUUID` of `expo-crypto`. The engine's own `Math.random` is not
   * enough: phones with the same 32 bits of seed would be one person.
   */
  newId: () => string;
}

export interface NativeClient extends Client {
  /** When storage has been read; until then calls wait, and `anonymousId()` is null. */
  readonly ready: Promise<void>;
}
