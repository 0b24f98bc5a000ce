import type { VisitorContext } from '../../../context.ts';
import type { Auth } from '../organizations/auth.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import { refuseKnownPassword } from './known-passwords.ts';
import { notifyPasswordChanged } from './notify-password-changed.ts';
import { findUser, markAddressProved } from './queries.ts';

/** Whose secret this is; null for one that counts no more, which the reset itself then refuses. */
async function ownerOf(auth: Auth, token: string): Promise<string | null> {
  const { internalAdapter } = await auth.$context;
  const found = await internalAdapter.findVerificationValue(`reset-password:${token}`);
  return found?.value ?? null;
}

/**
 * Sets a new password with the secret of a mailed link, once, and ends every session of the
 * account. The secret came by mail only, so it proves the address.
 * Throws `invalid_input` for a secret that is unknown, used or older than an hour, and
 * for a password that is well known.
 */
export async function resetPassword(
  ctx: VisitorContext,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<{ status: true }> {
  const { auth, authenticator } = ctx.deps.identity;
  const userId = await ownerOf(auth, token);
  const owner = userId === null ? undefined : await findUser(ctx.deps.sql, userId);
  if (owner) refuseKnownPassword('newPassword', newPassword, owner);
  await callAuth(() => auth.api.resetPassword({ body: { token, newPassword } }));
  if (userId !== null) {
    authenticator.forgetUser(userId);
    await markAddressProved(ctx.deps.sql, userId);
    await notifyPasswordChanged(ctx.deps, userId);
  }
  return { status: true };
}
