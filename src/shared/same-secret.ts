import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Constant time. */
export const isSameSecret = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));

/** Always false without an expected token. */
export function holdsToken(expected: string | undefined, authorization: string | null): boolean {
  if (expected === undefined) return false;
  return isSameSecret(authorization?.replace(/^Bearer\s+/i, '') ?? '', expected);
}
