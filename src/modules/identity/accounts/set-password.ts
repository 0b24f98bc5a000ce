import { randomBytes } from 'node:crypto';
import { AppError } from '../../../shared/errors.ts';
import type { IdentityContext } from '../organizations/identity.ts';
import { refuseKnownPassword } from './known-passwords.ts';
import { findUserByEmail } from './queries.ts';

export type SetPasswordInput = { email: string; password?: string | undefined };

/** 24 characters that nobody could guess. */
export function randomPassword(): string {
  return randomBytes(18).toString('base64url');
}

/**
 * Sets the password of an account, made up where none is given, and ends its sessions. For
 * operators. Throws `not_found` for an address without an account.
 */
export async function setPassword(
  { deps: { identity, sql } }: IdentityContext,
  { email, password = randomPassword() }: SetPasswordInput,
): Promise<{ email: string; password: string }> {
  const user = await findUserByEmail(sql, email);
  if (!user) throw new AppError('not_found', `There is no account "${email}".`);
  refuseKnownPassword('password', password, user);
  const context = await identity.auth.$context;
  await context.internalAdapter.updatePassword(user.id, await context.password.hash(password));
  await context.internalAdapter.deleteUserSessions(user.id);
  return { email: email.toLowerCase(), password };
}
