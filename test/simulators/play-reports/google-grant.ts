import { createPublicKey, verify } from 'node:crypto';
import type { SimulatorAnswer } from '../kit/server.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const AUDIENCE = 'https://oauth2.googleapis.com/token';

const refused = (what: string): SimulatorAnswer => ({
  status: 400,
  json: { error: 'invalid_grant', error_description: what },
});

const parsePart = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString());

/** Google's token endpoint, for accounts whose public key it knows, and one scope. */
export class GrantDesk {
  private readonly accounts = new Map<string, string>();
  private readonly tokens = new Set<string>();

  constructor(
    private readonly scope: string,
    private readonly now: () => Date,
  ) {}

  add = (email: string, publicKeyPem: string): void => {
    this.accounts.set(email, publicKeyPem);
  };

  expire = (): void => this.tokens.clear();

  has = (authorization: string | undefined): boolean =>
    this.tokens.has(authorization?.replace('Bearer ', '') ?? '');

  private faultOf(assertion: string): string | null {
    const [head = '', body = '', signature = ''] = assertion.split('.');
    const claims = parsePart(body);
    const pem = this.accounts.get(String(claims.iss));
    if (pem === undefined) return 'Invalid grant: account not found';
    const signed = Buffer.from(`${head}.${body}`);
    const isRs256 = parsePart(head).alg === 'RS256';
    const bytes = Buffer.from(signature, 'base64url');
    if (!isRs256 || !verify('sha256', signed, createPublicKey(pem), bytes)) {
      return 'Invalid JWT Signature.';
    }
    const nowSeconds = this.now().getTime() / 1_000;
    const [iat, exp] = [Number(claims.iat), Number(claims.exp)];
    const isShort = exp - iat <= 3_600 && iat <= nowSeconds + 300 && nowSeconds < exp;
    if (!isShort) return 'Invalid JWT: Token must be a short-lived token (60 minutes)';
    if (claims.aud !== AUDIENCE) return 'Invalid JWT audience.';
    return claims.scope === this.scope ? null : 'Invalid scope.';
  }

  grant = (body: string): SimulatorAnswer => {
    const form = new URLSearchParams(body);
    if (form.get('grant_type') !== GRANT) return refused('grant_type');
    const fault = this.faultOf(form.get('assertion') ?? '');
    if (fault !== null) return refused(fault);
    const token = `ya29.${crypto.randomUUID()}`;
    this.tokens.add(token);
    return { status: 200, json: { access_token: token, expires_in: 3_599, token_type: 'Bearer' } };
  };
}
