import { Type } from '@sinclair/typebox';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { VisitorContext } from '../../../context.ts';
import { must } from '../../../shared/assert.ts';
import { addressGroup } from '../../../shared/client-address.ts';
import { AppError } from '../../../shared/errors.ts';
import { parser, Tolerant } from '../../../shared/schema.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
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

/** Before anything is fetched. */
function isFor({ issuer, clientId }: Provider, token: string): boolean {
  const { iss, aud } = decodeJwt(token);
  if (!ALGORITHMS.includes(decodeProtectedHeader(token).alg ?? '')) return false;
  return iss === issuer && [aud].flat().includes(clientId);
}

type Needed = VisitorContext<'egress' | 'identity' | 'log' | 'rateLimits' | 'secrets' | 'sql'>;

type KeySet = ReturnType<typeof createLocalJWKSet>;
/** Per issuer, so that unsigned tokens cost one look a minute. */
const known = new LRUCache<string, Promise<KeySet>>({ max: 1_000, ttl: MINUTE_MS });

async function readKeys(ctx: Needed, provider: Provider): Promise<KeySet> {
  const config = await openProvider(ctx, provider);
  const url = must(config.serverMetadata().jwks_uri, 'the provider was checked');
  const { text } = await ctx.deps.egress.ask({ url, method: 'GET', headers: {} });
  return createLocalJWKSet(keySets.parse(JSON.parse(text)));
}

function keysOf(ctx: Needed, provider: Provider): Promise<KeySet> {
  const name = `${provider.orgId} ${provider.issuer}`;
  const found = known.get(name);
  if (found) return found;
  const read = readKeys(ctx, provider);
  known.set(name, read);
  read.catch(() => known.delete(name));
  return read;
}

/** OpenID Connect Back-Channel Logout, 2.6. */
async function verify(ctx: Needed, provider: Provider, token: string) {
  try {
    if (!isFor(provider, token)) throw notValid();
    const keys = await keysOf(ctx, provider);
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
  const counted = `${addressGroup(ctx.address)} ${orgId}`;
  await ctx.deps.rateLimits.check('invalidSignature', counted);
  const { sub, sid = null } = await verify(ctx, provider, token).catch(async (thrown: unknown) => {
    const isAway = thrown instanceof AppError && thrown.code === 'unavailable';
    if (!isAway) await ctx.deps.rateLimits.take('invalidSignature', counted);
    throw thrown;
  });
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
