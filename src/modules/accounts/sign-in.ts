import { callAuth } from '../organizations/auth-errors.ts';
import type { User } from './model.ts';
import { authHeaders, toUser, type VisitorContext, type WithCookies } from './visitor.ts';

export type SignInInput = { email: string; password: string; rememberMe?: boolean | undefined };

/**
 * Starts a session. Attempts are counted for the account here, and for the address by the guard.
 * Throws `not_signed_in`, with the same words for a wrong address and a wrong password.
 */
export async function signIn(
  ctx: VisitorContext,
  { email, password, rememberMe = true }: SignInInput,
): Promise<WithCookies<{ user: User }>> {
  await ctx.deps.rateLimits.take('signInAccount', email.toLowerCase());
  const { response, headers } = await callAuth(() =>
    ctx.deps.identity.auth.api.signInEmail({
      body: { email, password, rememberMe },
      headers: authHeaders(ctx),
      returnHeaders: true,
    }),
  );
  return { value: { user: toUser(response.user) }, cookies: headers.getSetCookie() };
}
