import type { VisitorContext, WithCookies } from '../../../context.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import { authHeaders } from './visitor.ts';

/** Ends the session of this request, if there is one, and clears its cookie. */
export async function signOut(ctx: VisitorContext): Promise<WithCookies<{ success: true }>> {
  const { auth, authenticator } = ctx.deps.identity;
  const session = await authenticator.session(ctx.headers).catch(() => null);
  const { headers } = await callAuth(() =>
    auth.api.signOut({ headers: authHeaders(ctx), returnHeaders: true }),
  );
  if (session) authenticator.forgetUser(session.userId);
  return { value: { success: true }, cookies: headers.getSetCookie() };
}
