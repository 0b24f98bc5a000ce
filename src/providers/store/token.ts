import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { StoreFault } from './fault.ts';
import type { StoreKey } from './port.ts';

const LIFETIME_SECONDS = 12 * 60;
/** Tolerates a clock that runs a little ahead of the store's. */
const BACKDATED_SECONDS = 45;
const RENEW_BEFORE_SECONDS = 2 * 60;
const CACHED_MAX = 2_000;

/** The key of a `.p8` file; throws StoreFault `credentials` unless it is a P-256 private key. */
export function readPrivateKey(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw new StoreFault('credentials', 'The private key is not a PKCS#8 PEM file (.p8).');
  }
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new StoreFault('credentials', 'The private key is not an elliptic-curve P-256 key.');
  }
  return key;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A bearer token for App Store Connect (ES256, raw r‖s signature, 12 minutes). */
export function mintToken(key: StoreKey, now: Date): string {
  const nowSeconds = Math.floor(now.getTime() / 1000);
  const iat = nowSeconds - BACKDATED_SECONDS;
  const header = encode({ alg: 'ES256', kid: key.keyId, typ: 'JWT' });
  const payload = encode({
    iss: key.issuerId,
    iat,
    exp: iat + LIFETIME_SECONDS,
    aud: 'appstoreconnect-v1',
  });
  const signature = sign('sha256', Buffer.from(`${header}.${payload}`), {
    key: readPrivateKey(key.privateKey),
    dsaEncoding: 'ieee-p1363',
  });
  return `${header}.${payload}.${signature.toString('base64url')}`;
}

/** Keeps each key's token until two minutes before it ends. */
export function tokenCache(clock: () => Date): (key: StoreKey) => string {
  const tokens = new Map<string, { token: string; renewAtMs: number }>();
  return (key) => {
    const now = clock();
    const digest = createHash('sha256').update(key.privateKey).digest('hex');
    const id = `${key.issuerId}/${key.keyId}/${digest}`;
    const known = tokens.get(id);
    if (known && now.getTime() < known.renewAtMs) return known.token;
    const token = mintToken(key, now);
    if (tokens.size >= CACHED_MAX) tokens.clear();
    const usableSeconds = LIFETIME_SECONDS - BACKDATED_SECONDS - RENEW_BEFORE_SECONDS;
    tokens.set(id, { token, renewAtMs: now.getTime() + usableSeconds * 1000 });
    return token;
  };
}
