import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { invalidInput } from './errors.ts';
import { SECOND_MS } from './time.ts';

export type AppStoreKey = { issuerId: string; keyId: string; privateKey: string };

export const EXAMPLE_PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfwhFa1jXb8q+qwKW
xZVQax2r9yQcRE7VcroQNaV45tGhRANCAATWXxaL9HFQPlpn91wmYXoHUgi/3ht8
SiHTFDo67GfxncEPa0KdajVW3cprJ1Z9W9wqlId/2bwD/yUZF+Ehfj8K
-----END PRIVATE KEY-----`;

/** Tolerates a clock ahead of Apple's. */
export type TokenLife = { lifetimeSeconds: number; backdatedSeconds: number };

export class PrivateKeyError extends Error {
  override name = 'PrivateKeyError';
}

/** Throws `PrivateKeyError`, which never contains the key. */
export function readPrivateKey(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw new PrivateKeyError('The private key is not a PKCS#8 PEM file (.p8).');
  }
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new PrivateKeyError('The private key is not an elliptic-curve P-256 key.');
  }
  return key;
}

/** Throws `invalid_input` unless `privateKey` is `.p8` content. */
export function checkPrivateKey(privateKey: string): void {
  try {
    readPrivateKey(privateKey);
  } catch {
    throw invalidInput('privateKey', 'must be a P-256 key in PKCS#8 PEM, the .p8 of the store');
  }
}

/** ES256; `bundleId` for endpoints about one app. */
export async function signAppStoreToken(
  key: AppStoreKey & { bundleId?: string },
  life: TokenLife,
  now: Date,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / SECOND_MS) - life.backdatedSeconds;
  const claims = {
    iss: key.issuerId,
    iat: issuedAt,
    exp: issuedAt + life.lifetimeSeconds,
    aud: 'appstoreconnect-v1',
    ...(key.bundleId !== undefined && { bid: key.bundleId }),
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: key.keyId, typ: 'JWT' })
    .sign(readPrivateKey(key.privateKey));
}
