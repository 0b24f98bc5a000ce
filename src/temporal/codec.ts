import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { markPlain } from './contracts/plain-payload.ts';

const ENCODING = new TextEncoder().encode('binary/encrypted');
const KEY_ID = 'encryption-key-id';
const NONCE_BYTES = 12;

export type PayloadKey = { id: string; key: Uint8Array<ArrayBuffer> };

export type PayloadCodecOptions = {
  /** The first encrypts, all decrypt. */
  keys: readonly PayloadKey[];
  /** For workers: what is not encrypted is marked with the time until which runs could have that. */
  plainUntil?: Date;
};

type ImportedKey = { id: string; key: CryptoKey };

async function importKey({ id, key }: PayloadKey): Promise<ImportedKey> {
  return {
    id,
    key: await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt']),
  };
}

/** A copy that owns its memory, as WebCrypto's types require. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

function isEncrypted(payload: Payload): boolean {
  const encoding = payload.metadata?.encoding;
  return encoding !== undefined && encoding !== null && Buffer.from(encoding).equals(ENCODING);
}

/** Payloads of releases before key ids do not say which key they need. */
function candidates(keys: readonly ImportedKey[], payload: Payload): readonly ImportedKey[] {
  const named = payload.metadata?.[KEY_ID];
  if (!named) return keys;
  const id = new TextDecoder().decode(named);
  const matching = keys.filter((key) => key.id === id);
  if (matching.length > 0) return matching;
  throw new Error(`A payload was encrypted with the key ${id}, which is not in SECRETS_KEY.`);
}

async function decrypt(keys: readonly ImportedKey[], data: Uint8Array): Promise<Uint8Array> {
  const bytes = owned(data);
  const [iv, body] = [bytes.slice(0, NONCE_BYTES), bytes.slice(NONCE_BYTES)];
  for (const { key } of keys) {
    try {
      return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, body));
    } catch {
      // Wrong key or tampered payload; the tag does not distinguish them.
    }
  }
  throw new Error('No key of SECRETS_KEY decrypts a payload.');
}

/** Encrypts every payload with AES-256-GCM; decodes those it encrypted and leaves others alone. */
export async function createPayloadCodec(options: PayloadCodecOptions): Promise<PayloadCodec> {
  const keys = await Promise.all(options.keys.map(importKey));
  const [first] = keys;
  if (!first) throw new Error('A codec needs a key.');
  const proto = temporal.api.common.v1.Payload;
  const keyId = new TextEncoder().encode(first.id);

  const encodeOne = async (payload: Payload): Promise<Payload> => {
    const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const plain = owned(proto.encode(payload).finish());
    const body = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, first.key, plain);
    return {
      metadata: { encoding: ENCODING, [KEY_ID]: keyId },
      data: new Uint8Array(Buffer.concat([iv, Buffer.from(body)])),
    };
  };

  const decodeOne = async (payload: Payload): Promise<Payload> => {
    if (isEncrypted(payload) && payload.data) {
      return proto.decode(await decrypt(candidates(keys, payload), payload.data));
    }
    return options.plainUntil ? markPlain(payload, options.plainUntil) : payload;
  };

  return {
    encode: (payloads) => Promise.all(payloads.map(encodeOne)),
    decode: (payloads) => Promise.all(payloads.map(decodeOne)),
  };
}
