import { AppError } from '../shared/errors.ts';
import { isSameSecret } from '../shared/same-secret.ts';

/**
 * Throws `not_available` without the right `x-cron-secret`, and when none is configured: one answer,
 * whatever else the request holds.
 */
export function checkCronSecret(expected: string | undefined, given: string | null): void {
  const same = isSameSecret(expected ?? '', given ?? '');
  if (expected === undefined || given === null || !same) {
    throw new AppError('not_available', 'No such resource.');
  }
}
