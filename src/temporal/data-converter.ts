import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import type { Config } from '../config.ts';
import { forgetEncryption, noteEncryption } from '../storage/payload-switch.ts';
import type { Sql } from '../storage/postgres.ts';
import type { Secrets } from '../storage/secrets/secrets.ts';
import { createPayloadCodec } from './codec.ts';

/** What the keys of encrypted payloads are derived for. */
const PAYLOAD_KEY = 'temporal-payloads';
const CONVERTER = fileURLToPath(new URL('./contracts/plain-payload.ts', import.meta.url));

/** Plain JSON payloads, or encrypted ones: the same for every client of a cluster. */
export function createDataConverter(config: Config, secrets: Secrets): DataConverter {
  if (config.temporal.payloads === 'plain') return {};
  return { payloadConverterPath: CONVERTER, payloadCodecs: [openPayloadCodec(secrets)] };
}

export function openPayloadCodec(secrets: Secrets): PayloadCodec {
  return createPayloadCodec({ keys: secrets.deriveKeys(PAYLOAD_KEY) });
}

/**
 * What clients have, and for a worker with encrypted payloads: plain ones, and those that are not
 * bound to a run, are taken only of runs that began before.
 */
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
    await forgetEncryption(sql);
    return {};
  }
  const { encryptedAt: plain, boundAt: unbound } = await noteEncryption(sql);
  const keys = secrets.deriveKeys(PAYLOAD_KEY);
  return {
    payloadConverterPath: CONVERTER,
    payloadCodecs: [createPayloadCodec({ keys, acceptUntil: { plain, unbound } })],
  };
}
