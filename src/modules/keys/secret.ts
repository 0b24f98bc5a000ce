import { createHash, randomBytes } from 'node:crypto';
import type { KeyKind } from './model.ts';

const PREFIXES: Readonly<Record<KeyKind, string>> = { events: 'svp_', flags: 'svf_' };
const SECRET_BYTES = 32;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 10;

function checksum(prefix: string, body: string): string {
  return createHash('sha256')
    .update(prefix + body)
    .digest('base64url')
    .slice(0, CHECKSUM_LENGTH);
}

export type NewSecret = { secret: string; hash: Buffer; prefix: string };

/** 256 random bits and a checksum; only the hash is stored. */
export function createSecret(kind: KeyKind = 'events'): NewSecret {
  const body = randomBytes(SECRET_BYTES).toString('base64url');
  const secret = `${PREFIXES[kind]}${body}${checksum(PREFIXES[kind], body)}`;
  return { secret, hash: hashSecret(secret), prefix: secret.slice(0, SHOWN_LENGTH) };
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** No lookup for a mistyped key, nor for one of another kind. */
export function isWellFormedSecret(secret: string, kind: KeyKind = 'events'): boolean {
  const prefix = PREFIXES[kind];
  if (!secret.startsWith(prefix) || !/^[a-z]{3}_[A-Za-z0-9_-]{49}$/.test(secret)) return false;
  const body = secret.slice(prefix.length, -CHECKSUM_LENGTH);
  return checksum(prefix, body) === secret.slice(-CHECKSUM_LENGTH);
}
