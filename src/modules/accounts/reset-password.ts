import { callAuth } from '../organizations/auth-errors.ts';
import type { VisitorContext } from './visitor.ts';

/**
 * Sets a new password with the secret of a mailed link, once, and ends every session of the
 * account. Throws `invalid_input` for a secret that is unknown, used or older than an hour.
 */
export async function resetPassword(
  ctx: VisitorContext,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<{ status: true }> {
  await callAuth(() => ctx.deps.identity.auth.api.resetPassword({ body: { token, newPassword } }));
  return { status: true };
}
