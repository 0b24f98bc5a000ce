import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'svp_';
const SECRET_BYTES = 32;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 10;

function checksum(body: string): string {
  return createHash('sha256')
    .update(PREFIX + body)
    .digest('base64url')
    .slice(0, CHECKSUM_LENGTH);
}

export type NewSecret = { secret: string; hash: Buffer; prefix: string };

/** `svp_` + 256 random bits + checksum, base64url. Only the hash is stored. */
export function createSecret(): NewSecret {
  const body = randomBytes(SECRET_BYTES).toString('base64url');
  const secret = `${PREFIX}${body}${checksum(body)}`;
  return { secret, hash: hashSecret(secret), prefix: secret.slice(0, SHOWN_LENGTH) };
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Format and checksum: no lookup for a mistyped key. */
export function isWellFormedSecret(secret: string): boolean {
  if (!/^svp_[A-Za-z0-9_-]{49}$/.test(secret)) return false;
  const body = secret.slice(PREFIX.length, -CHECKSUM_LENGTH);
  return checksum(body) === secret.slice(-CHECKSUM_LENGTH);
}
