import { isAPIError } from 'better-auth/api';
import type { OrgKeyPrincipal, SessionPrincipal } from '../../../shared/principal.ts';
import { type Clock, DAY_MS } from '../../../shared/time.ts';
import { type LookupOptions, VerifiedCache } from '../../../shared/verified-cache.ts';
import { isDatabaseUnavailable, type Sql } from '../../../storage/postgres.ts';
import type { Auth } from './auth.ts';
import { isOrganizationKey, verifyOrganizationKey } from './organization-key.ts';
import { findSessionAccess } from './organizations-queries.ts';

const MAX_REMEMBERED = 20_000;
const MAX_COOKIE_LENGTH = 512;
const MAX_ID_LENGTH = 64;

/** Longest session, however often prolonged. */
const LONGEST_SESSION_MS = 30 * DAY_MS;

export function isOverage(signedInAt: Date, now: Date): boolean {
  return now.getTime() - signedInAt.getTime() > LONGEST_SESSION_MS;
}

type SessionLookup = LookupOptions & { organization?: string | null };

export type Authenticator = {
  orgKey: (secret: string, options?: LookupOptions) => Promise<OrgKeyPrincipal | null>;
  session: (headers: Headers, options?: SessionLookup) => Promise<SessionPrincipal | null>;
  /** Applies a change in this process at once, not within 5 s. */
  forgetKey: (keyId: string) => void;
  forgetUser: (userId: string) => void;
  forgetOrganization: (orgId: string) => void;
};

export type AuthenticatorOptions = { auth: Auth; sql: Sql; clock: Clock };

type Asked = { cookie: string; organization: string | null };

async function verifySession(
  { auth, sql, clock }: AuthenticatorOptions,
  { cookie, organization }: Asked,
): Promise<SessionPrincipal | null> {
  const found = await auth.api.getSession({
    headers: new Headers({ cookie }),
    query: { disableRefresh: true },
  });
  if (!found || isOverage(found.session.createdAt, clock())) return null;
  const userId = found.user.id;
  const session = { sessionId: found.session.id, organization, now: clock() };
  const access = await findSessionAccess(sql, session);
  if (organization !== null && access.orgId === null) return null;
  const { orgId, role, needsSecondFactor, needsCompany } = access;
  const principal = {
    kind: 'session' as const,
    userId,
    ...(access.onlyOrgId !== null && { onlyOrgId: access.onlyOrgId }),
  };
  if (!needsSecondFactor && !needsCompany) return { ...principal, orgId, role };
  return { ...principal, orgId: null, role: null, needsSecondFactor, needsCompany };
}

/** Cached for less than 5 s. Throws `unavailable` without a database, except within `graceMs`. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { auth, sql, clock } = options;
  const isAway = (thrown: unknown) =>
    isDatabaseUnavailable(thrown) || (isAPIError(thrown) && thrown.statusCode >= 500);
  const caching = { clock, maxEntries: MAX_REMEMBERED, isAway };
  const keys = new VerifiedCache<OrgKeyPrincipal>(caching);
  const sessions = new VerifiedCache<SessionPrincipal>(caching);
  const cookieName = auth.$context.then((context) => context.authCookies.sessionToken.name);

  return {
    orgKey: async (secret, lookup) => {
      if (!isOrganizationKey(secret)) return null;
      return keys.get(secret, () => verifyOrganizationKey(sql, secret, clock()), lookup);
    },
    session: async (headers, { organization = null, ...lookup } = {}) => {
      const name = await cookieName;
      const value = new Bun.CookieMap(headers.get('cookie') ?? '').get(name);
      if (!value || value.length > MAX_COOKIE_LENGTH) return null;
      const cookie = `${name}=${encodeURIComponent(value)}`;
      const inside = (named: string | null) =>
        sessions.get(
          named === null ? value : `${value} ${named}`,
          () => verifySession(options, { cookie, organization: named }),
          lookup,
        );
      if (organization === null) return inside(null);
      const found = organization.length <= MAX_ID_LENGTH ? await inside(organization) : null;
      if (found) return found;
      // Not cached: what it names would push out others.
      const { userId, onlyOrgId } = (await inside(null)) ?? {};
      if (userId === undefined) return null;
      const outside = { kind: 'session', orgId: null, role: null, isOutside: true } as const;
      return { ...outside, userId, ...(onlyOrgId !== undefined && { onlyOrgId }) };
    },
    forgetKey: (keyId) => keys.forget((key) => key.keyId === keyId),
    forgetUser: (userId) => sessions.forget((session) => session.userId === userId),
    forgetOrganization: (orgId) => {
      keys.forget((key) => key.orgId === orgId);
      // A closed session does not say of which organization.
      sessions.forget(
        ({ orgId: active, onlyOrgId, needsCompany, needsSecondFactor }) =>
          active === orgId || onlyOrgId === orgId || needsCompany || needsSecondFactor || false,
      );
    },
  };
}
