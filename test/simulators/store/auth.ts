import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';

/** One key of the simulated account, as the account's owner would download it. */
export type SimulatedKey = {
  issuerId: string;
  keyId: string;
  privateKey: string;
  publicKey: KeyObject;
};

export function makeKey(issuerId: string, keyId: string): SimulatedKey {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateKey = String(pair.privateKey.export({ format: 'pem', type: 'pkcs8' }));
  return { issuerId, keyId, privateKey, publicKey: createPublicKey(pair.privateKey) };
}

const LIFETIME_MAX_SECONDS = 20 * 60;

function decode(part: string | undefined): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/**
 * The key that signed this `Authorization` header, or what is wrong with it. As strict as the
 * store: algorithm, key id, audience, at most 20 minutes, the raw 64-byte signature.
 */
export function authenticate(
  header: string | undefined,
  keys: readonly SimulatedKey[],
  now: Date,
): SimulatedKey | string {
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(header ?? '')?.[1];
  if (!token) return 'no bearer token';
  const [head, body, signature] = token.split('.');
  const { alg, kid, typ } = decode(head);
  const { iss, aud, iat, exp } = decode(body);
  if (alg !== 'ES256' || typ !== 'JWT') return 'header is not ES256/JWT';
  if (aud !== 'appstoreconnect-v1') return 'audience';
  const nowSeconds = now.getTime() / 1000;
  if (typeof exp !== 'number' || exp <= nowSeconds) return 'expired';
  if (exp - nowSeconds > LIFETIME_MAX_SECONDS) return 'lives longer than 20 minutes';
  if (typeof iat !== 'number' || iat > nowSeconds + 5) return 'issued in the future';
  const key = keys.find((one) => one.keyId === kid && one.issuerId === iss);
  if (!key) return 'unknown key';
  const raw = Buffer.from(signature ?? '', 'base64url');
  if (raw.length !== 64) return 'signature is not raw r‖s';
  const signed = Buffer.from(`${head}.${body}`);
  const ok = verify('sha256', signed, { key: key.publicKey, dsaEncoding: 'ieee-p1363' }, raw);
  return ok ? key : 'signature';
}
