import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { Type } from '@sinclair/typebox';
import { invalidInput } from './errors.ts';
import { decodeJson } from './http.ts';
import { failureOfStatus, ProviderError } from './provider-error.ts';
import { exchangeWith } from './provider-http.ts';
import { parser } from './schema.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from './time.ts';

/** Key of a service account. */
export type GoogleKey = { clientEmail: string; privateKeyId: string; privateKey: string };

const grantAnswer = parser(
  Type.Object({
    access_token: Type.String({ minLength: 1, maxLength: 4_096 }),
    expires_in: Type.Integer({ minimum: 1, maximum: 86_400 }),
  }),
  'access token of Google',
);

const serviceAccount = parser(
  Type.Object({
    type: Type.Literal('service_account'),
    private_key_id: Type.String({ minLength: 1, maxLength: 256 }),
    private_key: Type.String({ minLength: 100, maxLength: 8_000 }),
    client_email: Type.String({ minLength: 3, maxLength: 320, pattern: '^[^@\\s]+@[^@\\s]+$' }),
  }),
  'service account',
);

const AUDIENCE = 'https://oauth2.googleapis.com/token';
const SCOPES = 'https://www.googleapis.com/auth/';
const LIFETIME_SECONDS = 3_600;
/** Tolerates a clock ahead of Google's. */
const BACKDATED_SECONDS = 30;
const RENEWED_EARLY_MS = 5 * MINUTE_MS;
const TIMEOUT_MS = 5 * SECOND_MS;
const MAX_BYTES = 64 * 1024;
const MAX_TOKENS = 1_000;

const WRONG_FILE = 'must be the JSON key of a Google service account';

function readKey(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' ? key : null;
  } catch {
    return null;
  }
}

/** Throws `invalid_input`, which never contains the key. */
export function readServiceAccount(text: string): GoogleKey {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw invalidInput('serviceAccount', WRONG_FILE);
  }
  if (!serviceAccount.check(file) || readKey(file.private_key) === null) {
    throw invalidInput('serviceAccount', WRONG_FILE);
  }
  return {
    clientEmail: file.client_email,
    privateKeyId: file.private_key_id,
    privateKey: file.private_key,
  };
}

function signAssertion(key: GoogleKey, scope: string, now: Date): Promise<string> {
  const signer = readKey(key.privateKey);
  if (!signer)
    throw new ProviderError('unauthorized', 'The key of the service account is no RSA key.');
  const issuedAt = Math.floor(now.getTime() / SECOND_MS) - BACKDATED_SECONDS;
  const claims = { iss: key.clientEmail, scope, aud: AUDIENCE };
  return new SignJWT({ ...claims, iat: issuedAt, exp: issuedAt + LIFETIME_SECONDS })
    .setProtectedHeader({ alg: 'RS256', kid: key.privateKeyId, typ: 'JWT' })
    .sign(signer);
}

type Granted = { token: string; endsMs: number };

/** Keyed by the whole key: a name alone would hand out another's token. */
const cacheId = (key: GoogleKey) =>
  createHash('sha256')
    .update(JSON.stringify([key.clientEmail, key.privateKeyId, key.privateKey]))
    .digest('base64url');

/** `scope`: the part after `https://www.googleapis.com/auth/`. */
export type GrantOptions = { tokenUrl: string; scope: string; clock: Clock };

export function createGrants({ tokenUrl, scope, clock }: GrantOptions) {
  const granted = new LRUCache<string, Granted>({ max: MAX_TOKENS });

  async function ask(key: GoogleKey): Promise<Granted> {
    const assertion = await signAssertion(key, `${SCOPES}${scope}`, clock());
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    const answer = await exchangeWith({
      method: 'POST',
      url: new URL(tokenUrl),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type, assertion }).toString(),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    const failure = failureOfStatus(answer.status);
    if (failure === 'invalid' || failure === 'unauthorized') {
      const message =
        'Google refused the key of the service account: it was deleted or disabled, or the clock of this host is wrong.';
      throw new ProviderError('unauthorized', message, { status: answer.status });
    }
    if (failure !== null) {
      throw new ProviderError(
        failure,
        `Google answered ${answer.status} to a request for a token.`,
      );
    }
    const body = decodeJson(answer);
    if (!grantAnswer.check(body)) {
      throw new ProviderError('malformed', 'Google sent a token of an unknown shape.');
    }
    const endsMs = clock().getTime() + body.expires_in * SECOND_MS;
    return { token: body.access_token, endsMs };
  }

  return {
    async token(key: GoogleKey): Promise<string> {
      const id = cacheId(key);
      const kept = granted.get(id);
      if (kept && clock().getTime() < kept.endsMs - RENEWED_EARLY_MS) return kept.token;
      const fresh = await ask(key);
      granted.set(id, fresh);
      return fresh.token;
    },
    forget: (key: GoogleKey): void => {
      granted.delete(cacheId(key));
    },
  };
}
