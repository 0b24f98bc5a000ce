import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { ProviderError } from '../../shared/provider-error.ts';
import { type Clock, SECOND_MS } from '../../shared/time.ts';
import { PushRefused, type PushVerifier } from './port.ts';

export type PushVerifierOptions = { certsUrl: string; clock: Clock };

const ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];
const SKEW_SECONDS = 300;
const TIMEOUT_MS = 5 * SECOND_MS;
/** Forged key ids must not make us ask at each request. */
const ASKED_AT_MOST_EVERY_MS = 30 * SECOND_MS;
const KEYS_AWAY: ReadonlySet<string> = new Set([
  'ERR_JOSE_GENERIC',
  'ERR_JWKS_INVALID',
  'ERR_JWKS_TIMEOUT',
]);
const MAX_CHARACTERS = 8_192;

/** Google signs for every service account: who it is decides. */
function checkSender(claims: JWTPayload, email: string): void {
  if (claims.email_verified !== true || claims.email !== email) {
    throw new PushRefused('The token of the push is of another service account.');
  }
}

export function createPushVerifier({ certsUrl, clock }: PushVerifierOptions): PushVerifier {
  const keys = createRemoteJWKSet(new URL(certsUrl), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: ASKED_AT_MOST_EVERY_MS,
  });

  async function claimsOf(token: string, audience: string): Promise<JWTPayload> {
    try {
      const verified = await jwtVerify(token, keys, {
        ...{ audience, issuer: ISSUERS, algorithms: ['RS256'] },
        requiredClaims: ['iat', 'exp'],
        clockTolerance: SKEW_SECONDS,
        currentDate: clock(),
      });
      return verified.payload;
    } catch (cause) {
      const isRefusal = cause instanceof errors.JOSEError && !KEYS_AWAY.has(cause.code);
      if (isRefusal) throw new PushRefused('The token of the push is not valid.', { cause });
      throw new ProviderError('unavailable', "Google's keys could not be read.", { cause });
    }
  }

  return async (authorization, sender) => {
    const [, token = ''] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
    if (token === '' || token.length > MAX_CHARACTERS) {
      throw new PushRefused('The push has no token.');
    }
    checkSender(await claimsOf(token, sender.audience), sender.email);
  };
}
