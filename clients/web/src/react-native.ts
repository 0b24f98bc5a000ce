import { browser } from './browser.ts';
import { createNativeClient, type Engine } from './native.ts';
import type { NativeClient, NativeOptions } from './native-types.ts';

export type {
  AppStateLike,
  AsyncStorageLike,
  NativeClient,
  NativeOptions,
  NetInfoLike,
} from './native-types.ts';
export type { ClientError, ErrorCode, Properties, PropertyValue, ServerReason } from './types.ts';

const engine: Engine = {
  ...browser,
  locale: () => Intl.DateTimeFormat().resolvedOptions().locale,
};

/**
 * Starts sending to `POST /v1/events` from an app in React Native or Expo. Storage, lifecycle and network
 * state are handed in, so nothing native is depended on. Never throws; faults go to `onError`.
 */
export function createClient(options: NativeOptions): NativeClient {
  return createNativeClient(engine, options);
}
