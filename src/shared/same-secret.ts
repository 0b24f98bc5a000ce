import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares in a time that says nothing about either. */
export const isSameSecret = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));

/** Whether a request's `authorization` carries this token; a token that is not set is nobody's. */
export function holdsToken(expected: string | undefined, authorization: string | null): boolean {
  if (expected === undefined) return false;
  return isSameSecret(authorization?.replace(/^Bearer\s+/i, '') ?? '', expected);
}
