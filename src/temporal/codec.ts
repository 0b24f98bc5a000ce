import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';

const ENCODING = new TextEncoder().encode('binary/encrypted');
const NONCE_BYTES = 12;

async function importKey(raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** A copy that owns its memory, which is what WebCrypto's types ask for. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

function isEncrypted(payload: Payload): boolean {
  const encoding = payload.metadata?.encoding;
  return encoding !== undefined && encoding !== null && Buffer.from(encoding).equals(ENCODING);
}

/** Encrypts every payload with AES-256-GCM; decodes those it encrypted and leaves others alone. */
export async function createPayloadCodec(rawKey: Uint8Array<ArrayBuffer>): Promise<PayloadCodec> {
  const key = await importKey(rawKey);
  const proto = temporal.api.common.v1.Payload;

  const encodeOne = async (payload: Payload): Promise<Payload> => {
    const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const plain = owned(proto.encode(payload).finish());
    const body = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, plain);
    return {
      metadata: { encoding: ENCODING },
      data: new Uint8Array(Buffer.concat([iv, Buffer.from(body)])),
    };
  };

  const decodeOne = async (payload: Payload): Promise<Payload> => {
    if (!isEncrypted(payload) || !payload.data) return payload;
    const bytes = owned(payload.data);
    const iv = bytes.slice(0, NONCE_BYTES);
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv },
      key,
      bytes.slice(NONCE_BYTES),
    );
    return proto.decode(new Uint8Array(plain));
  };

  return {
    encode: (payloads) => Promise.all(payloads.map(encodeOne)),
    decode: (payloads) => Promise.all(payloads.map(decodeOne)),
  };
}
