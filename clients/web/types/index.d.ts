import type { Client, Options } from './types.ts';
export type { Client, ClientError, ErrorCode, Options, Properties, PropertyValue, ServerReason, } from './types.ts';
/** Starts sending to `POST /v1/events`. Never throws; faults go to `onError`. */
export declare function createClient(options: Options): Client;
