import type { NativeClient, NativeOptions } from './native-types.ts';
export type { AppStateLike, AsyncStorageLike, NativeClient, NativeOptions, NetInfoLike, } from './native-types.ts';
export type { ClientError, ErrorCode, Properties, PropertyValue, ServerReason } from './types.ts';
/**
 * Starts sending to `POST /v1/events` from an app in React Native or Expo. Storage, lifecycle and network
 * state are handed in, so nothing native is depended on. Never throws; faults go to `onError`.
 */
export declare function createClient(options: NativeOptions): NativeClient;
