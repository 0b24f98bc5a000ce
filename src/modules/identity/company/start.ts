import * as client from 'openid-client';
import type { VisitorContext } from '../../../context.ts';
import type { Refusal } from '../model/company.ts';
import { attemptCookie } from './attempt.ts';
import { isAway, openProvider } from './issuer.ts';
import { redirectUri } from './provider.ts';
import { findProviderBySlug } from './queries.ts';

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
export const refusedWay = (consoleUrl: string, refusal: Refusal, cookies: string[] = []): Way => ({
  location: `${consoleUrl}/#refused=${refusal}`,
  cookies,
});

export async function startCompanySignIn(
  ctx: VisitorContext<'clock' | 'config' | 'egress' | 'identity' | 'log' | 'secrets' | 'sql'>,
  { organization }: { organization: string },
): Promise<Way> {
  const { clock, config: settings, identity, log, sql } = ctx.deps;
  const provider = await findProviderBySlug(sql, organization);
  if (!provider) return refusedWay(identity.consoleUrl, 'no_provider');
  const { orgId, issuer, clientId } = provider;
  try {
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
    const attempt = { orgId, issuer, clientId, state, nonce, verifier };
    const signing = { secret: identity.signingSecret, now: clock() };
    return { location: url.href, cookies: [attemptCookie(settings, attempt, signing)] };
  } catch (thrown) {
    log.warn({ err: thrown, orgId, requestId: ctx.requestId }, 'sign-in provider does not answer');
    return refusedWay(identity.consoleUrl, isAway(thrown) ? 'provider_away' : 'answer_not_valid');
  }
}
