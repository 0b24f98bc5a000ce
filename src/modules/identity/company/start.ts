import * as client from 'openid-client';
import type { VisitorContext, WithCookies } from '../../../context.ts';
import { AppError, orNotFound } from '../../../shared/errors.ts';
import type { PersonContext } from '../accounts/visitor.ts';
import type { Refusal } from '../model/company.ts';
import { attemptCookie } from './attempt.ts';
import { isAway, openProvider } from './issuer.ts';
import { redirectUri } from './provider.ts';
import { findProviderBySlug, type Provider } from './queries.ts';

/** Where the browser goes next. */
export type Way = { location: string; cookies: string[] };

/** Has no scope for it. */
const GOOGLE = 'https://accounts.google.com';

/** OpenID Connect Core, 11: without consent none is given. */
function askForRefreshToken(issuer: string, scopes: readonly string[]): Record<string, string> {
  if (issuer === GOOGLE) return { access_type: 'offline', prompt: 'consent' };
  return scopes.includes('offline_access') ? { prompt: 'consent' } : {};
}

/** In the fragment: in no log. */
export const refusedWay = (pageUrl: string, refusal: Refusal, cookies: string[] = []): Way => ({
  location: `${pageUrl}#refused=${refusal}`,
  cookies,
});

type Visitor = VisitorContext<
  'clock' | 'config' | 'egress' | 'identity' | 'log' | 'secrets' | 'sql'
>;

async function begin(ctx: Visitor, provider: Provider, joiningId: string | null): Promise<Way> {
  const { clock, config: settings, identity } = ctx.deps;
  const { orgId, issuer, clientId } = provider;
  const config = await openProvider(ctx, provider);
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const verifier = client.randomPKCECodeVerifier();
  const scopes = config.serverMetadata().scopes_supported ?? [];
  const wanted = ['profile', 'email', 'groups', 'offline_access'];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(settings, orgId),
    scope: ['openid', ...wanted.filter((scope) => scopes.includes(scope))].join(' '),
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...askForRefreshToken(issuer, scopes),
  });
  const isOwnAct = ctx.headers.get('sec-fetch-site') === 'same-origin';
  const attempt = { orgId, issuer, clientId, state, nonce, verifier, joiningId, isOwnAct };
  const signing = { secret: identity.signingSecret, now: clock() };
  return { location: url.href, cookies: [attemptCookie(settings, attempt, signing)] };
}

export async function startCompanySignIn(
  ctx: Visitor,
  { organization }: { organization: string },
): Promise<Way> {
  const { identity, log, sql } = ctx.deps;
  const provider = await findProviderBySlug(sql, organization);
  if (!provider) return refusedWay(`${identity.consoleUrl}/`, 'no_provider');
  return begin(ctx, provider, null).catch((thrown: unknown) => {
    const { orgId } = provider;
    log.warn({ err: thrown, orgId, requestId: ctx.requestId }, 'sign-in provider does not answer');
    return refusedWay(
      `${identity.consoleUrl}/`,
      isAway(thrown) ? 'provider_away' : 'answer_not_valid',
    );
  });
}

export async function joinCompany(
  ctx: PersonContext<'clock' | 'config' | 'egress' | 'identity' | 'log' | 'secrets' | 'sql'>,
  { organization }: { organization: string },
): Promise<WithCookies<{ location: string }>> {
  const provider = orNotFound(await findProviderBySlug(ctx.deps.sql, organization));
  const way = await begin(ctx, provider, ctx.userId).catch((thrown: unknown) => {
    throw new AppError('unavailable', 'The provider does not answer.', { cause: thrown });
  });
  return { value: { location: way.location }, cookies: way.cookies };
}
