import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { PurchaseKey } from './port.ts';

const LIFETIME_SECONDS = 300;
/** Tokens are issued a little in the past, so that a slow clock of the store accepts them. */
const BACKDATE_SECONDS = 30;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The key when it is PKCS#8 PEM on P-256, the only kind that the store gives out; else null. */
export function readPrivateKey(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    const curve = key.asymmetricKeyDetails?.namedCurve;
    return key.asymmetricKeyType === 'ec' && curve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}

/** A bearer token for one request (ES256; the signature is raw r‖s, DER is refused as a bad key). */
export function bearerToken(key: PurchaseKey, now: Date): string {
  const issuedAt = Math.floor(now.getTime() / 1_000) - BACKDATE_SECONDS;
  const header = encode({ alg: 'ES256', kid: key.keyId, typ: 'JWT' });
  const claims = encode({
    iss: key.issuerId,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
    aud: 'appstoreconnect-v1',
    bid: key.bundleId,
  });
  const signature = sign('sha256', Buffer.from(`${header}.${claims}`), {
    key: createPrivateKey(key.privateKey),
    dsaEncoding: 'ieee-p1363',
  });
  return `${header}.${claims}.${signature.toString('base64url')}`;
}
