import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import type { Config } from '../config.ts';
import { clearEncryption, noteEncryption } from '../storage/payload-switch.ts';
import type { Sql } from '../storage/postgres.ts';
import type { Secrets } from '../storage/secrets/secrets.ts';
import { createPayloadCodec } from './codec.ts';

/** Key derivation purpose. */
const PAYLOAD_KEY = 'temporal-payloads';
const CONVERTER = fileURLToPath(new URL('./contracts/plain-payload.ts', import.meta.url));

/** The same for all clients of a cluster. */
export function createDataConverter(config: Config, secrets: Secrets): DataConverter {
  if (config.temporal.payloads === 'plain') return {};
  return { payloadConverterPath: CONVERTER, payloadCodecs: [openPayloadCodec(secrets)] };
}

export function openPayloadCodec(secrets: Secrets): PayloadCodec {
  return createPayloadCodec({ keys: secrets.deriveKeys(PAYLOAD_KEY) });
}

/** Plain and unbound payloads only in runs begun before the switch. */
export async function createWorkerDataConverter({
  config,
  secrets,
  sql,
}: {
  config: Config;
  secrets: Secrets;
  sql: Sql;
}): Promise<DataConverter> {
  if (config.temporal.payloads === 'plain') {
    await clearEncryption(sql);
    return {};
  }
  const { encryptedAt: plain, boundAt: unbound } = await noteEncryption(sql);
  const keys = secrets.deriveKeys(PAYLOAD_KEY);
  return {
    payloadConverterPath: CONVERTER,
    payloadCodecs: [createPayloadCodec({ keys, acceptUntil: { plain, unbound } })],
  };
}
