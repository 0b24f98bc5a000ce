import { randomBytes } from 'node:crypto';
import type { SystemContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { DAY_MS, toIso } from '../../../shared/time.ts';
import type { Auth } from '../auth/auth.ts';
import { callAuth } from '../auth/auth-errors.ts';
import type { IdentityContext } from '../auth/identity.ts';
import { signUpLink } from '../auth/mails.ts';
import { together } from '../auth/together.ts';
import { refuseKnownPassword } from './known-passwords.ts';
import { findUserByEmail, insertSignUpInvitation, type KnownUser } from './queries.ts';

/** Operator actions: without a session, exempt from the sign-up policy. */

const INVITATION_VALID_MS = 7 * DAY_MS;

const addressTaken = () => new AppError('conflict', 'There is an account with this address.');

export function checkAddressProved(user: KnownUser, existing = false): void {
  if (user.emailVerified || existing) return;
  throw new AppError('conflict', `The account "${user.email}" has not proved its address.`, {
    hint: 'Make sure whose it is, then add --existing; or have its owner reset the password by mail.',
  });
}

/** The operator vouches for the address. Throws `conflict` for an existing account. */
export async function createAccount(
  auth: Auth,
  input: { email: string; name: string; password: string },
): Promise<string> {
  const context = await auth.$context;
  const email = input.email.toLowerCase();
  if (await context.internalAdapter.findUserByEmail(email)) throw addressTaken();
  refuseKnownPassword('password', input.password, input);
  const password = await context.password.hash(input.password);
  return callAuth(async () => {
    const user = await context.internalAdapter.createUser(
      { email, name: input.name, emailVerified: true },
      { method: 'email-password' },
    );
    await context.internalAdapter.linkAccount({
      userId: user.id,
      providerId: 'credential',
      accountId: user.id,
      password,
    });
    return user.id;
  });
}

export type SignUpInvitation = {
  email: string;
  invitationId: string;
  link: string;
  expiresAt: string;
};

/** Throws `conflict` for an existing account. */
export async function inviteToSignUp(
  { deps }: SystemContext<'clock' | 'identity' | 'sql'>,
  { email }: { email: string },
): Promise<SignUpInvitation> {
  if (await findUserByEmail(deps.sql, email)) throw addressTaken();
  const invitationId = randomBytes(24).toString('base64url');
  const expiresAt = new Date(deps.clock().getTime() + INVITATION_VALID_MS);
  await insertSignUpInvitation(deps.sql, { token: invitationId, email, expiresAt });
  return {
    email: email.toLowerCase(),
    invitationId,
    link: signUpLink(deps.identity.consoleUrl, { secret: invitationId, email }),
    expiresAt: toIso(expiresAt),
  };
}

export function randomPassword(): string {
  return randomBytes(18).toString('base64url');
}

/** Ends all sessions. Throws `not_found`. */
export async function setPassword(
  { deps: { identity, sql } }: IdentityContext,
  { email, password = randomPassword() }: { email: string; password?: string | undefined },
): Promise<{ email: string; password: string }> {
  const user = await findUserByEmail(sql, email);
  if (!user) throw new AppError('not_found', `There is no account "${email}".`);
  refuseKnownPassword('password', password, user);
  const context = await identity.auth.$context;
  const hash = await context.password.hash(password);
  await together(sql, async () => {
    await context.internalAdapter.updatePassword(user.id, hash);
    await context.internalAdapter.deleteUserSessions(user.id);
  });
  return { email: email.toLowerCase(), password };
}
