import * as client from 'openid-client';
import type { VisitorContext } from '../../../context.ts';
import { must } from '../../../shared/assert.ts';
import { beginAudit, currentAudit } from '../../../storage/audit.ts';
import { together } from '../auth/together.ts';
import type { Refusal } from '../model/company.ts';
import { type Claims, isAway, openProvider, readWhole, TOKEN_PURPOSE } from './issuer.ts';
import { joinByProvider } from './join.ts';
import { tellOfSignIn } from './notices.ts';
import { redirectUri } from './provider.ts';
import { findProvider, type Provider } from './queries.ts';
import { openSession } from './session.ts';
import { type Attempt, readAttempt, refusedWay, spentCookie, type Way } from './start.ts';

type Visitor = VisitorContext<
  'clock' | 'config' | 'egress' | 'identity' | 'log' | 'rateLimits' | 'secrets' | 'sql'
>;

type Read = { claims: Claims; refreshToken: string | null };
/** Without the token a removal at the issuer is not seen. */
type Told = Read & { refreshToken: string; joiningId: string | null };

/** Throws for an answer to another attempt. */
async function askProvider(
  ctx: Visitor,
  { provider, attempt, search }: { provider: Provider; attempt: Attempt; search: string },
): Promise<Read> {
  const config = await openProvider(ctx, provider);
  const current = new URL(`${redirectUri(ctx.deps.config, provider.orgId)}${search}`);
  const tokens = await client.authorizationCodeGrant(config, current, {
    pkceCodeVerifier: attempt.verifier,
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('The issuer gave no ID token.');
  // The library compares it only where there are several audiences.
  if (claims.azp !== undefined && claims.azp !== provider.clientId) {
    throw new Error('The ID token was made for another client.');
  }
  const answer = { accessToken: tokens.access_token, claims, subject: claims.sub };
  const whole = await readWhole(
    config,
    provider,
    answer,
    ({ email, groups, isEmailVerified }) => email !== null && groups !== null && isEmailVerified,
  );
  return {
    claims: must(whole, 'an ID token tells something'),
    refreshToken: tokens.refresh_token ?? null,
  };
}

function refusalFor(thrown: unknown): Refusal {
  if (thrown instanceof client.AuthorizationResponseError) return 'provider_refused';
  return isAway(thrown) ? 'provider_away' : 'answer_not_valid';
}

/** A GET that changes the control plane: its entry is that of the rows. */
function beginEntry(
  { deps, address, headers, requestId }: Visitor,
  { orgId, joiningId }: { orgId: string; joiningId: string | null },
): void {
  beginAudit({
    actor: { kind: joiningId === null ? 'visitor' : 'user', id: joiningId },
    orgId,
    appId: null,
    operation: 'finishCompanySignIn',
    address,
    userAgent: headers.get('user-agent')?.slice(0, 256) ?? null,
    requestId,
    at: deps.clock(),
    isOver: false,
    isWritten: false,
  });
}

async function enter(ctx: Visitor, provider: Provider, told: Told) {
  const { clock, config, secrets, sql } = ctx.deps;
  const { orgId } = provider;
  const { claims, refreshToken, joiningId } = told;
  const scope = { orgId, purpose: TOKEN_PURPOSE };
  const sealedRefreshToken = secrets.seal(scope, refreshToken);
  beginEntry(ctx, { orgId, joiningId });
  try {
    return await together(sql, async (db) => {
      const joined = await joinByProvider(db, {
        provider,
        claims,
        sealedRefreshToken,
        joiningId,
        mayMakeAccounts: config.signUp !== 'closed',
        now: clock(),
      });
      if ('refused' in joined) return joined;
      const opened = { orgId, userId: joined.userId, sid: claims.sid };
      return { ...joined, cookie: await openSession(db, ctx, opened) };
    });
  } finally {
    const scope = currentAudit();
    if (scope) scope.isOver = true;
  }
}

/** A page of others may begin a sign-in, and ends no session of another door. */
async function refuseSession(
  { deps, headers }: Visitor,
  { orgId, joiningId, isOwnAct }: Attempt,
): Promise<Refusal | null> {
  const session = await deps.identity.authenticator.session(headers);
  if (joiningId !== null) {
    return session?.userId === joiningId && session.onlyOrgId === undefined ? null : 'too_late';
  }
  return !session || session.onlyOrgId === orgId || isOwnAct ? null : 'signed_in';
}

/** Signs in who came back from the provider; whatever is wrong leads to the console, signed out. */
export async function finishCompanySignIn(
  ctx: Visitor,
  { organizationId, search }: { organizationId: string; search: string },
): Promise<Way> {
  const { clock, config, identity, log, sql } = ctx.deps;
  const spent = [spentCookie(config)];
  const attempt = readAttempt(ctx.headers, { secret: identity.signingSecret, now: clock() });
  const refuse = (refusal: Refusal, err?: unknown): Way => {
    const { requestId, address } = ctx;
    const said = { audit: 'company_sign_in_failed', refusal, requestId, address, err };
    log.info({ ...said, orgId: organizationId }, 'company sign-in failed');
    const isInside = attempt?.joiningId || refusal === 'signed_in';
    const page = `${identity.consoleUrl}/${isInside ? 'account' : ''}`;
    return refusedWay(page, refusal, spent);
  };
  if (attempt?.orgId !== organizationId) return refuse('too_late');
  const { joiningId } = attempt;
  const unfit = await refuseSession(ctx, attempt);
  if (unfit) return refuse(unfit);
  const provider = await findProvider(sql, organizationId);
  const isSame = provider?.issuer === attempt.issuer && provider.clientId === attempt.clientId;
  if (!isSame) return refuse('too_late');
  let read: Read;
  try {
    read = await askProvider(ctx, { provider, attempt, search });
  } catch (thrown) {
    return refuse(refusalFor(thrown), thrown);
  }
  const { claims, refreshToken } = read;
  if (refreshToken === null) return refuse('no_refresh_token');
  const entered = await enter(ctx, provider, { claims, refreshToken, joiningId });
  if ('refused' in entered) return refuse(entered.refused);
  identity.authenticator.forgetUser(entered.userId);
  const known = await tellOfSignIn(ctx, { orgId: organizationId, ...entered });
  return { location: `${identity.consoleUrl}/`, cookies: [...spent, entered.cookie, ...known] };
}
