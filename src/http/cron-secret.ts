import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../shared/errors.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Throws `not_available` without the right `x-cron-secret`, and when none is configured: one answer,
 * whatever else the request holds.
 */
export function checkCronSecret(expected: string | undefined, given: string | null): void {
  const same = timingSafeEqual(digest(expected ?? ''), digest(given ?? ''));
  if (expected === undefined || given === null || !same) {
    throw new AppError('not_available', 'No such resource.');
  }
}
