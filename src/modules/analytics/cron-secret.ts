import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Whoever does not know the secret cannot tell this route from one that is not there. Throws
 * `not_available` without the right `x-cron-secret`, and when none is configured.
 */
export function checkCronSecret(expected: string | undefined, given: string | null): void {
  const same = timingSafeEqual(digest(expected ?? ''), digest(given ?? ''));
  if (expected === undefined || given === null || !same) {
    throw new AppError('not_available', 'No such resource.');
  }
}
