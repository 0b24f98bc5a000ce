import { AppError } from '../../shared/errors.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import type { VisitorContext } from './visitor.ts';

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
  await ctx.deps.rateLimits.take('signInAccount', `reset ${email.toLowerCase()}`);
  await callAuth(() => auth.api.requestPasswordReset({ body: { email } }));
  return { status: true };
}
