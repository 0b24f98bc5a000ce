import type { DataConverter } from '@temporalio/common';
import type { Config } from '../config.ts';
import type { Secrets } from '../storage/secrets/secrets.ts';
import { createPayloadCodec } from './codec.ts';

/** What the key of encrypted payloads is derived for. */
export const PAYLOAD_KEY = 'temporal-payloads';

/** Plain JSON payloads, or encrypted ones: the same for every client and worker of a cluster. */
export async function createDataConverter(
  config: Config,
  secrets: Secrets,
): Promise<DataConverter> {
  if (config.temporal.payloads === 'plain') return {};
  return { payloadCodecs: [await createPayloadCodec(secrets.deriveKey(PAYLOAD_KEY))] };
}
