import type { Static } from '@sinclair/typebox';
import type { Deps, VisitorContext, WithCookies } from '../../../context.ts';
import { addressGroup } from '../../../shared/client-address.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Auth } from '../auth/auth.ts';
import { callAuth } from '../auth/auth-errors.ts';
import { passwordChangedMail } from '../auth/mails.ts';
import { together } from '../auth/together.ts';
import type { ChangePasswordBody, Done, ResetPasswordBody } from '../model/account.ts';
import { refuseKnownPassword } from './known-passwords.ts';
import { findUser, markAddressProved } from './queries.ts';
import { callAs, type PersonContext } from './visitor.ts';

/** To a proved address only. */
async function notifyPasswordChanged(
  { sql, log, identity: { mailer, consoleUrl } }: Pick<Deps, 'sql' | 'log' | 'identity'>,
  userId: string,
): Promise<void> {
  if (!mailer) return;
  const user = await findUser(sql, userId);
  if (!user?.emailVerified) return;
  mailer.send(passwordChangedMail(consoleUrl, user.email)).catch((error: unknown) => {
    log.error({ err: error }, 'notice of a changed password could not be mailed');
  });
}

export async function changePassword(
  ctx: PersonContext<'identity' | 'log' | 'rateLimits' | 'sql'>,
  { currentPassword, newPassword }: Static<typeof ChangePasswordBody>,
): Promise<WithCookies<Done>> {
  await ctx.deps.rateLimits.take('signInAccount', `change ${ctx.userId}`);
  const owner = await findUser(ctx.deps.sql, ctx.userId);
  if (owner) refuseKnownPassword('newPassword', newPassword, owner);
  const body = { currentPassword, newPassword, revokeOtherSessions: true };
  const { headers } = await together(ctx.deps.sql, () =>
    callAs(ctx, (api, headers) => api.changePassword({ body, headers, returnHeaders: true })),
  );
  ctx.deps.identity.authenticator.forgetUser(ctx.userId);
  await notifyPasswordChanged(ctx.deps, ctx.userId);
  return { value: { status: true }, cookies: headers.getSetCookie() };
}

/** Silent: nobody is locked out and a stranger learns nothing. */
async function mayMail({ deps: { rateLimits } }: VisitorContext<'rateLimits'>, account: string) {
  try {
    await rateLimits.take('signInAccount', account);
    return true;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'rate_limited') return false;
    throw thrown;
  }
}

/** Same answer with and without an account. Throws `provider_not_configured`. */
export async function requestPasswordReset(
  ctx: VisitorContext<'identity' | 'rateLimits'>,
  { email }: { email: string },
): Promise<Done> {
  const { auth, mailer } = ctx.deps.identity;
  if (!mailer) {
    throw new AppError('provider_not_configured', 'This service does not send mail.', {
      hint: 'Ask whoever runs it to reset the password: bun run admin password reset.',
    });
  }
  const account = `reset ${email.toLowerCase()}`;
  await ctx.deps.rateLimits.take('signInAccount', `${account} ${addressGroup(ctx.address)}`);
  if (await mayMail(ctx, account)) {
    await callAuth(() => auth.api.requestPasswordReset({ body: { email } }));
  }
  return { status: true };
}

async function findTokenOwner(auth: Auth, token: string): Promise<string | null> {
  const { internalAdapter } = await auth.$context;
  const verification = await internalAdapter.findVerificationValue(`reset-password:${token}`);
  return verification?.value ?? null;
}

/**
 * Ends every session. Throws `invalid_input` for an unknown, used or expired secret, and for a
 * common password.
 */
export async function resetPassword(
  ctx: VisitorContext<'identity' | 'log' | 'sql'>,
  { token, newPassword }: Static<typeof ResetPasswordBody>,
): Promise<Done> {
  const { auth, authenticator } = ctx.deps.identity;
  const userId = await findTokenOwner(auth, token);
  const owner = userId === null ? undefined : await findUser(ctx.deps.sql, userId);
  if (owner) refuseKnownPassword('newPassword', newPassword, owner);
  await together(ctx.deps.sql, async (db) => {
    await callAuth(() => auth.api.resetPassword({ body: { token, newPassword } }));
    if (userId !== null) await markAddressProved(db, userId);
  });
  if (userId !== null) {
    authenticator.forgetUser(userId);
    await notifyPasswordChanged(ctx.deps, userId);
  }
  return { status: true };
}
