import type { VisitorContext, WithCookies } from '../../../context.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import { refuseKnownPassword } from './known-passwords.ts';
import { notifyPasswordChanged } from './notify-password-changed.ts';
import { findUser } from './queries.ts';
import { authHeaders } from './visitor.ts';

export type ChangePasswordInput = { currentPassword: string; newPassword: string };

/** Sets a new password and ends every other session of the account. */
export async function changePassword(
  ctx: VisitorContext & { userId: string },
  { currentPassword, newPassword }: ChangePasswordInput,
): Promise<WithCookies<{ status: true }>> {
  const { auth, authenticator } = ctx.deps.identity;
  await ctx.deps.rateLimits.take('signInAccount', `change ${ctx.userId}`);
  const owner = await findUser(ctx.deps.sql, ctx.userId);
  if (owner) refuseKnownPassword('newPassword', newPassword, owner);
  const { headers } = await callAuth(() =>
    auth.api.changePassword({
      body: { currentPassword, newPassword, revokeOtherSessions: true },
      headers: authHeaders(ctx),
      returnHeaders: true,
    }),
  );
  authenticator.forgetUser(ctx.userId);
  await notifyPasswordChanged(ctx.deps, ctx.userId);
  return { value: { status: true }, cookies: headers.getSetCookie() };
}
