import type { VisitorContext } from '../../../context.ts';
import { addressGroup } from '../../../shared/client-address.ts';
import { AppError } from '../../../shared/errors.ts';
import { callAuth } from '../organizations/auth-errors.ts';

/**
 * False when so many mails went to the account within the minute that another one would only
 * annoy: those that it has work, so nobody is locked out, and a stranger learns nothing.
 */
async function mayMail({ deps: { rateLimits } }: VisitorContext, account: string) {
  try {
    await rateLimits.take('signInAccount', account);
    return true;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'rate_limited') return false;
    throw thrown;
  }
}

/**
 * Sends a link that sets a new password, when the address has an account; the answer does not
 * tell whether it has. Throws `provider_not_configured` when the service cannot send mail.
 */
export async function requestPasswordReset(
  ctx: VisitorContext,
  { email }: { email: string },
): Promise<{ status: true }> {
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
