import { createPublicKey, verify } from 'node:crypto';
import type { SimulatorAnswer } from './server.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const AUDIENCE = 'https://oauth2.googleapis.com/token';

const LIFETIME_SECONDS = 3_599;

const refused = (what: string, error = 'invalid_grant'): SimulatorAnswer => ({
  status: 400,
  json: { error, error_description: what },
});

const parsePart = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString());

type Known = { accounts: ReadonlyMap<string, string>; scopes: ReadonlySet<string> };

/** The fault of an assertion, in Google's words. */
function refusalOf(
  assertion: string,
  { accounts, scopes, nowSeconds }: Known & { nowSeconds: number },
): SimulatorAnswer | null {
  const [head = '', body = '', signature = ''] = assertion.split('.');
  const claims = parsePart(body);
  const pem = accounts.get(String(claims.iss));
  if (pem === undefined) return refused('Invalid grant: account not found');
  const signed = Buffer.from(`${head}.${body}`);
  const isRs256 = parsePart(head).alg === 'RS256';
  const bytes = Buffer.from(signature, 'base64url');
  if (!isRs256 || !verify('sha256', signed, createPublicKey(pem), bytes)) {
    return refused('Invalid JWT Signature.');
  }
  const [iat, exp] = [Number(claims.iat), Number(claims.exp)];
  const isShort = exp - iat <= 3_600 && iat <= nowSeconds + 300 && nowSeconds < exp;
  if (!isShort) return refused('Invalid JWT: Token must be a short-lived token (60 minutes)');
  if (claims.aud !== AUDIENCE) return refused('Invalid JWT audience.');
  const isKnown = String(claims.scope)
    .split(' ')
    .every((scope) => scopes.has(scope));
  return isKnown ? null : refused('Invalid scope.', 'invalid_scope');
}

/** The tokens of service accounts, by their keys. */
export class Grants {
  readonly accounts = new Map<string, string>();
  /** Tokens, and when each ends. */
  private readonly tokens = new Map<string, number>();

  constructor(readonly scopes: ReadonlySet<string>) {}

  grant(body: string, nowSeconds: number): SimulatorAnswer {
    const form = new URLSearchParams(body);
    if (form.get('grant_type') !== GRANT) return refused('grant_type', 'unsupported_grant_type');
    const refusal = refusalOf(form.get('assertion') ?? '', {
      ...{ accounts: this.accounts, scopes: this.scopes },
      nowSeconds,
    });
    if (refusal !== null) return refusal;
    const token = `ya29.${crypto.randomUUID()}`;
    this.tokens.set(token, nowSeconds + LIFETIME_SECONDS);
    const granted = { access_token: token, expires_in: LIFETIME_SECONDS, token_type: 'Bearer' };
    return { status: 200, json: granted };
  }

  isGranted(authorization: string | undefined, nowSeconds: number): boolean {
    const [, token = ''] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
    const endsAt = this.tokens.get(token);
    return endsAt !== undefined && nowSeconds < endsAt;
  }

  expire(): void {
    this.tokens.clear();
  }
}
