import { AppError } from '../../../shared/errors.ts';
import type { KnownUser } from './queries.ts';

/**
 * For operators who give something to the owner of an address: whoever has an account with it may
 * be somebody else. Throws `conflict` unless the address is proved, or `existing` says that the
 * account is meant all the same.
 */
export function checkAddressProved(user: KnownUser, existing = false): void {
  if (user.emailVerified || existing) return;
  throw new AppError('conflict', `The account "${user.email}" has not proved its address.`, {
    hint: 'Make sure whose it is, then add --existing; or have its owner reset the password by mail.',
  });
}
