import type { VisitorContext } from '../../../context.ts';
import { authHeaders } from '../accounts/visitor.ts';
import { callAuth } from './auth-errors.ts';

/** Leaves an organization. Throws `not_found`, or `conflict` for its last owner. */
export async function leaveOrganization(
  ctx: VisitorContext & { userId: string },
  { organizationId }: { organizationId: string },
): Promise<{ status: true }> {
  const { auth, authenticator } = ctx.deps.identity;
  await callAuth(() =>
    auth.api.leaveOrganization({ body: { organizationId }, headers: authHeaders(ctx) }),
  );
  authenticator.forgetUser(ctx.userId);
  return { status: true };
}
