import type { VisitorContext, WithCookies } from '../../../context.ts';
import { notFound } from '../../../shared/errors.ts';
import type { CurrentSession } from '../accounts/model.ts';
import { showSession } from '../accounts/show-session.ts';
import { authHeaders } from '../accounts/visitor.ts';
import { callAuth } from './auth-errors.ts';
import { findRole } from './queries.ts';

/**
 * Chooses the organization that this session works in, or none. Throws `not_found` for one that
 * the person is no member of.
 */
export async function setActiveOrganization(
  ctx: VisitorContext & { userId: string },
  { organizationId }: { organizationId: string | null },
): Promise<WithCookies<CurrentSession>> {
  const {
    sql,
    identity: { auth, authenticator },
  } = ctx.deps;
  // better-auth would take the active organization away when this one is not the caller's.
  if (organizationId !== null && !(await findRole(sql, organizationId, ctx.userId))) {
    throw notFound();
  }
  await callAuth(() =>
    auth.api.setActiveOrganization({ body: { organizationId }, headers: authHeaders(ctx) }),
  );
  authenticator.forgetUser(ctx.userId);
  return showSession(ctx);
}
