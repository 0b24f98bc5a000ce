import type { VisitorContext } from '../../../context.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import { authHeaders } from './visitor.ts';

/** Ends every session of this person but the one of the request. */
export async function revokeOtherSessions(
  ctx: VisitorContext & { userId: string },
): Promise<{ status: true }> {
  const { auth, authenticator } = ctx.deps.identity;
  await callAuth(() => auth.api.revokeOtherSessions({ headers: authHeaders(ctx) }));
  authenticator.forgetUser(ctx.userId);
  return { status: true };
}
