import { browser } from './browser.ts';
import { createClientOn } from './client.ts';
import type { Client, Options } from './types.ts';

export type {
  Client,
  ClientError,
  ErrorCode,
  Options,
  Properties,
  PropertyValue,
  ServerReason,
} from './types.ts';

/** Starts sending to `POST /v1/events`. Never throws; faults go to `onError`. */
export function createClient(options: Options): Client {
  return createClientOn(browser, options);
}
