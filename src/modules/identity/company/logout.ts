import { Type } from '@sinclair/typebox';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import type { SystemContext } from '../../../context.ts';
import { must } from '../../../shared/assert.ts';
import { AppError } from '../../../shared/errors.ts';
import { parser, Tolerant } from '../../../shared/schema.ts';
import { isAway, openProvider, TOLERATED_SECONDS } from './issuer.ts';
import { findLinked } from './links-queries.ts';
import { endSessionsBySid, endSessionsOf, findProvider, type Provider } from './queries.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const LONGEST_AGE_SECONDS = 120;
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384'];

const keySets = parser(
  Tolerant({ keys: Type.Array(Type.Record(Type.String(), Type.Any())) }),
  'keys of an issuer',
);
const claimsOf = parser(
  Tolerant({
    iss: Type.String(),
    aud: Type.Union([Type.String(), Type.Array(Type.String())]),
    iat: Type.Number(),
    jti: Type.String(),
    sub: Type.Optional(Type.String()),
    sid: Type.Optional(Type.String()),
    events: Tolerant({ [EVENT]: Type.Object({}, { additionalProperties: true }) }),
    nonce: Type.Optional(Type.Never()),
  }),
  'logout token',
);

const notValid = (cause?: unknown) =>
  new AppError('invalid_signature', 'This logout token is not valid.', { cause });

/** Before anything is fetched: tokens of others cost no request. */
function isFor({ issuer, clientId }: Provider, token: string): boolean {
  const { iss, aud } = decodeJwt(token);
  return iss === issuer && [aud].flat().includes(clientId);
}

type Needed = SystemContext<'egress' | 'identity' | 'log' | 'secrets' | 'sql'>;

/** OpenID Connect Back-Channel Logout, 2.6. */
async function verify(ctx: Needed, provider: Provider, token: string) {
  try {
    if (!isFor(provider, token)) throw notValid();
    const config = await openProvider(ctx, provider);
    const url = must(config.serverMetadata().jwks_uri, 'the provider was checked');
    const { text } = await ctx.deps.egress.ask({ url, method: 'GET', headers: {} });
    const keys = createLocalJWKSet(keySets.parse(JSON.parse(text)));
    const { payload } = await jwtVerify(token, keys, {
      issuer: provider.issuer,
      audience: provider.clientId,
      algorithms: ALGORITHMS,
      clockTolerance: TOLERATED_SECONDS,
      maxTokenAge: LONGEST_AGE_SECONDS,
    });
    const claims = claimsOf.parse(payload);
    if (claims.sub === undefined && claims.sid === undefined) throw notValid();
    return claims;
  } catch (thrown) {
    if (isAway(thrown)) {
      throw new AppError('unavailable', 'The issuer does not answer.', { cause: thrown });
    }
    throw notValid(thrown);
  }
}

export async function endCompanySessions(
  ctx: Needed,
  { organizationId: orgId, token }: { organizationId: string; token: string },
): Promise<void> {
  const { identity, log, sql } = ctx.deps;
  const provider = await findProvider(sql, orgId);
  if (!provider) throw notValid();
  const { sub, sid = null } = await verify(ctx, provider, token);
  let userIds: (string | undefined)[];
  if (sub === undefined)
    userIds = await endSessionsBySid(sql, { orgId, sid: must(sid, 'a token names one') });
  else {
    const key = { orgId, issuer: provider.issuer, subject: sub };
    const userId = (await findLinked(sql, key))?.userId;
    if (userId !== undefined) await endSessionsOf(sql, { orgId, userId, sid });
    userIds = [userId];
  }
  for (const userId of userIds) if (userId !== undefined) identity.authenticator.forgetUser(userId);
  log.info({ audit: 'company_sign_out', orgId, requestId: ctx.requestId }, 'sign-out by provider');
}
