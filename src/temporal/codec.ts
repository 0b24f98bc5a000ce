import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { at } from '../shared/assert.ts';
import { markPlain } from './contracts/plain-payload.ts';

const ENCODING = new TextEncoder().encode('binary/encrypted');
const KEY_ID = 'encryption-key-id';
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type PayloadKey = { id: string; key: Uint8Array };

export type PayloadCodecOptions = {
  /** The first encrypts, all decrypt. */
  keys: readonly PayloadKey[];
  /** For workers: what is not encrypted is marked with the time until which runs could have that. */
  plainUntil?: Date;
};

function isEncrypted(payload: Payload): boolean {
  const encoding = payload.metadata?.encoding;
  return encoding !== undefined && encoding !== null && Buffer.from(encoding).equals(ENCODING);
}

/** Payloads of releases before key ids do not say which key they need. */
function candidates(keys: readonly PayloadKey[], payload: Payload): readonly PayloadKey[] {
  const named = payload.metadata?.[KEY_ID];
  if (!named) return keys;
  const id = new TextDecoder().decode(named);
  const matching = keys.filter((key) => key.id === id);
  if (matching.length > 0) return matching;
  throw new Error(`A payload was encrypted with the key ${id}, which is not in SECRETS_KEY.`);
}

/** The nonce, the ciphertext and its tag. */
function encrypt({ key }: PayloadKey, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(keys: readonly PayloadKey[], data: Uint8Array): Uint8Array {
  const nonce = data.subarray(0, NONCE_BYTES);
  const tag = data.subarray(-TAG_BYTES);
  for (const { key } of keys) {
    try {
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(tag);
      const plain = decipher.update(data.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([plain, decipher.final()]);
    } catch {
      // Wrong key or tampered payload; the tag does not distinguish them.
    }
  }
  throw new Error('No key of SECRETS_KEY decrypts a payload.');
}

/** Encrypts every payload with AES-256-GCM; decodes those it encrypted and leaves others alone. */
export function createPayloadCodec({ keys, plainUntil }: PayloadCodecOptions): PayloadCodec {
  const first = at(keys, 0);
  const proto = temporal.api.common.v1.Payload;
  const metadata = { encoding: ENCODING, [KEY_ID]: Buffer.from(first.id) };
  const decodeOne = (payload: Payload): Payload => {
    if (isEncrypted(payload) && payload.data) {
      return proto.decode(decrypt(candidates(keys, payload), payload.data));
    }
    return plainUntil ? markPlain(payload, plainUntil) : payload;
  };
  return {
    encode: async (payloads) =>
      payloads.map((payload) => ({
        metadata,
        data: encrypt(first, proto.encode(payload).finish()),
      })),
    decode: async (payloads) => payloads.map(decodeOne),
  };
}
