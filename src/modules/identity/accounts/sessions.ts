import type { VisitorContext, WithCookies } from '../../../context.ts';
import { AppError, notYourOrganization } from '../../../shared/errors.ts';
import { toIso } from '../../../shared/time.ts';
import { isOverage } from '../auth/authenticator.ts';
import { findSessionAccess } from '../auth/organizations-queries.ts';
import type { CurrentSession, Done, SignedInDevice } from '../model/account.ts';
import { deleteSession, findMemberAsUser, listSessionRows } from './queries.ts';
import { callAs, type PersonContext, toUser } from './visitor.ts';

export async function activate(
  ctx: VisitorContext<'identity'>,
  organizationId: string | null,
): Promise<string[]> {
  try {
    const { headers } = await callAs(ctx, (api, headers) =>
      api.setActiveOrganization({ body: { organizationId }, headers, returnHeaders: true }),
    );
    return headers.getSetCookie();
  } catch (thrown) {
    // better-auth crashes on a session that ended meanwhile.
    if (thrown instanceof AppError || (await hasSession(ctx))) throw thrown;
    throw new AppError('not_signed_in', 'You are not signed in.', { cause: thrown });
  }
}

const hasSession = async (ctx: VisitorContext<'identity'>): Promise<boolean> =>
  (await callAs(ctx, (api, headers) => api.getSession({ headers }))) !== null;

/** Prolongs a session older than a day. */
export async function showSession(
  ctx: VisitorContext<'clock' | 'identity' | 'sql'>,
  organization: string | null = null,
): Promise<WithCookies<CurrentSession>> {
  const { response, headers } = await callAs(ctx, (api, headers) =>
    api.getSession({ headers, returnHeaders: true }),
  );
  const cookies = headers.getSetCookie();
  if (!response) return { value: null, cookies };
  // A prolonged cookie would be useless.
  if (isOverage(response.session.createdAt, ctx.deps.clock())) return { value: null, cookies: [] };
  const { session } = response;
  const asked = { sessionId: session.id, organization, now: ctx.deps.clock() };
  const access = await findSessionAccess(ctx.deps.sql, asked);
  if (organization !== null && access.orgId === null) throw notYourOrganization();
  const { onlyOrgId } = access;
  const user =
    onlyOrgId === null
      ? response.user
      : await findMemberAsUser(ctx.deps.sql, { userId: session.userId, orgId: onlyOrgId });
  if (!user) return { value: null, cookies: [] };
  return {
    value: {
      user: toUser(user),
      expiresAt: toIso(session.expiresAt),
      activeOrganizationId: access.orgId,
      role: access.role,
      needsSecondFactor: access.needsSecondFactor,
      needsCompany: access.needsCompany,
      byCompany: access.onlyOrgId !== null,
    },
    cookies,
  };
}

export async function signOut(
  ctx: VisitorContext<'identity'>,
): Promise<WithCookies<{ success: true }>> {
  const { authenticator } = ctx.deps.identity;
  const session = await authenticator.session(ctx.headers).catch(() => null);
  const { headers } = await callAs(ctx, (api, headers) =>
    api.signOut({ headers, returnHeaders: true }),
  );
  if (session) authenticator.forgetUser(session.userId);
  return { value: { success: true }, cookies: headers.getSetCookie() };
}

export async function revokeOtherSessions(ctx: PersonContext<'identity'>): Promise<Done> {
  await callAs(ctx, (api, headers) => api.revokeOtherSessions({ headers }));
  ctx.deps.identity.authenticator.forgetUser(ctx.userId);
  return { status: true };
}

export async function listSessions(
  ctx: PersonContext<'clock' | 'identity' | 'sql'>,
): Promise<SignedInDevice[]> {
  const now = ctx.deps.clock();
  const current = await callAs(ctx, (api, headers) =>
    api.getSession({ headers, query: { disableRefresh: true } }),
  );
  const rows = await listSessionRows(ctx.deps.sql, { userId: ctx.userId, now });
  return rows
    .filter(({ createdAt }) => !isOverage(createdAt, now))
    .map(({ id, createdAt, expiresAt, ipAddress, userAgent }) => ({
      id,
      isCurrent: id === current?.session.id,
      createdAt: toIso(createdAt),
      expiresAt: toIso(expiresAt),
      address: ipAddress || null,
      userAgent: userAgent || null,
    }));
}

/** Also when it has ended already. */
export async function revokeSession(
  ctx: PersonContext<'identity' | 'sql'>,
  sessionId: string,
): Promise<Done> {
  await deleteSession(ctx.deps.sql, { userId: ctx.userId, sessionId });
  ctx.deps.identity.authenticator.forgetUser(ctx.userId);
  return { status: true };
}
