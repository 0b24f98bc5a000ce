import { createHmac } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import * as client from 'openid-client';
import type { VisitorContext, WithCookies } from '../../../context.ts';
import { AppError, orNotFound } from '../../../shared/errors.ts';
import { toPublicUrl } from '../../../shared/own-origin.ts';
import { isSameSecret } from '../../../shared/same-secret.ts';
import { Nullable, parser } from '../../../shared/schema.ts';
import type { PersonContext } from '../accounts/visitor.ts';
import type { Refusal } from '../model/company.ts';
import { isAway, openProvider } from './issuer.ts';
import { redirectUri } from './provider.ts';
import { findProviderBySlug, type Provider } from './queries.ts';

const Attempt = Type.Object({
  orgId: Type.String(),
  issuer: Type.String(),
  clientId: Type.String(),
  state: Type.String(),
  nonce: Type.String(),
  verifier: Type.String(),
  joiningId: Nullable(Type.String()),
  /** Begun on a page of the console. */
  isOwnAct: Type.Optional(Type.Boolean()),
  until: Type.Integer(),
});
export type Attempt = Static<typeof Attempt>;

const COOKIE = 'company_sign_in';
const PATH = '/v1/auth/oidc';
const VALID_SECONDS = 10 * 60;

const attempts = parser(Attempt, 'started sign-in');

function signature(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(`company-sign-in:${payload}`).digest('base64url');
}

type Listening = Parameters<typeof toPublicUrl>[0];

function toCookie(listening: Listening, value: string, seconds: number): string {
  const isSecure = toPublicUrl(listening).startsWith('https:');
  const parts = [`${COOKIE}=${value}`, `Max-Age=${seconds}`, `Path=${PATH}`];
  return [...parts, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])].join('; ');
}

function attemptCookie(
  listening: Listening,
  attempt: Omit<Attempt, 'until'>,
  { secret, now }: { secret: string; now: Date },
): string {
  const until = Math.floor(now.getTime() / 1_000) + VALID_SECONDS;
  const payload = Buffer.from(JSON.stringify({ ...attempt, until })).toString('base64url');
  return toCookie(listening, `${payload}.${signature(payload, secret)}`, VALID_SECONDS);
}

export const spentCookie = (listening: Listening): string => toCookie(listening, '', 0);

export function readAttempt(
  headers: Headers,
  { secret, now }: { secret: string; now: Date },
): Attempt | null {
  const cookie = new Bun.CookieMap(headers.get('cookie') ?? '').get(COOKIE);
  const [, payload, received] = cookie?.match(/^([\w-]+)\.([\w-]+)$/) ?? [];
  if (payload === undefined || received === undefined) return null;
  if (!isSameSecret(received, signature(payload, secret))) return null;
  const attempt = attempts.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  return attempt.until * 1_000 > now.getTime() ? attempt : null;
}

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
