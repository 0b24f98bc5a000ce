import type { VisitorContext, WithCookies } from '../../../context.ts';
import { toIso } from '../../../shared/time.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import { isOverage } from '../organizations/authenticator.ts';
import { findRole } from '../organizations/queries.ts';
import type { CurrentSession } from './model.ts';
import { authHeaders, toUser } from './visitor.ts';

/**
 * The session of this request, or null. A session that is more than a day old is prolonged, and
 * its cookie with it.
 */
export async function showSession(ctx: VisitorContext): Promise<WithCookies<CurrentSession>> {
  const { response, headers } = await callAuth(() =>
    ctx.deps.identity.auth.api.getSession({ headers: authHeaders(ctx), returnHeaders: true }),
  );
  const cookies = headers.getSetCookie();
  if (!response) return { value: null, cookies };
  // A cookie that this answer prolongs would be of no use.
  if (isOverage(response.session.createdAt, ctx.deps.clock())) return { value: null, cookies: [] };
  const { user, session } = response;
  const activeId = session.activeOrganizationId ?? null;
  const role = activeId === null ? null : await findRole(ctx.deps.sql, activeId, user.id);
  return {
    value: {
      user: toUser(user),
      expiresAt: toIso(session.expiresAt),
      activeOrganizationId: role === null ? null : activeId,
      role,
    },
    cookies,
  };
}
