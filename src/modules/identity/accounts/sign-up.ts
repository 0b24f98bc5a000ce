import type { VisitorContext, WithCookies } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { withLock } from '../../../storage/locks.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import { refuseKnownPassword } from './known-passwords.ts';
import type { User } from './model.ts';
import { deleteSignUpInvitation, isAnybodySignedUp, markAddressProved } from './queries.ts';
import { checkSignUp, type SignUpRequest } from './sign-up-policy.ts';
import { authHeaders, toUser } from './visitor.ts';

export type SignUpInput = SignUpRequest & { name: string; password: string };

async function makeAccount(ctx: VisitorContext, input: SignUpInput) {
  const { addressProved } = await checkSignUp(ctx, input);
  refuseKnownPassword('password', input.password, input);
  const { name, email, password } = input;
  const { response, headers } = await callAuth(() =>
    ctx.deps.identity.auth.api.signUpEmail({
      body: { name, email, password },
      headers: authHeaders(ctx),
      returnHeaders: true,
    }),
  );
  if (addressProved) await markAddressProved(ctx.deps.sql, response.user.id);
  if (input.invitationId !== undefined) {
    await deleteSignUpInvitation(ctx.deps.sql, input.invitationId);
  }
  return { value: { user: toUser(response.user) }, cookies: headers.getSetCookie() };
}

/**
 * Makes an account and signs it in. Throws `permission_denied` where the policy does not allow
 * it, `conflict` when the address has an account.
 */
export async function signUp(
  ctx: VisitorContext,
  input: SignUpInput,
): Promise<WithCookies<{ user: User }>> {
  const { sql } = ctx.deps;
  if (await isAnybodySignedUp(sql)) return makeAccount(ctx, input);
  // Two who come first at the same moment must not both pass as the first.
  const made = await withLock(sql, 'firstAccount', () => makeAccount(ctx, input));
  if (made) return made.value;
  throw new AppError('conflict', 'The first account is being made.', {
    hint: 'Try again in a moment.',
  });
}
