import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import type { Config } from '../config.ts';
import { forgetEncryptedSince, noteEncryptedSince } from '../storage/payload-switch.ts';
import type { Sql } from '../storage/postgres.ts';
import type { Secrets } from '../storage/secrets/secrets.ts';
import { createPayloadCodec } from './codec.ts';

/** What the keys of encrypted payloads are derived for. */
const PAYLOAD_KEY = 'temporal-payloads';
const CONVERTER = fileURLToPath(new URL('./contracts/plain-payload.ts', import.meta.url));

/** Plain JSON payloads, or encrypted ones: the same for every client of a cluster. */
export async function createDataConverter(
  config: Config,
  secrets: Secrets,
): Promise<DataConverter> {
  if (config.temporal.payloads === 'plain') return {};
  return { payloadCodecs: [await openPayloadCodec(secrets)] };
}

/** For whoever reads payloads only: the endpoint of the Temporal UI. */
export async function openPayloadCodec(secrets: Secrets): Promise<PayloadCodec> {
  return createPayloadCodec({ keys: secrets.deriveKeys(PAYLOAD_KEY) });
}

/**
 * What clients have, and for a worker with encrypted payloads: plain ones are taken only of runs
 * that began before they were encrypted.
 */
export async function createWorkerDataConverter(deps: {
  config: Config;
  secrets: Secrets;
  sql: Sql;
}): Promise<DataConverter> {
  const { config, secrets, sql } = deps;
  if (config.temporal.payloads === 'plain') {
    await forgetEncryptedSince(sql);
    return {};
  }
  const plainUntil = await noteEncryptedSince(sql);
  const keys = secrets.deriveKeys(PAYLOAD_KEY);
  return {
    payloadConverterPath: CONVERTER,
    payloadCodecs: [await createPayloadCodec({ keys, plainUntil })],
  };
}
