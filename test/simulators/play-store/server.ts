import { createPublicKey, verify } from 'node:crypto';
import {
  type Simulator,
  type SimulatorAnswer,
  type SimulatorRequest,
  startSimulator,
} from '../kit/server.ts';

export type PlaySimulator = Simulator & {
  /** A service account whose public key Google knows. */
  addAccount(email: string, publicKeyPem: string): void;
  addApp(packageName: string): void;
  /** As `subscriptionsv2.get` answers. */
  put(token: string, purchase: Record<string, unknown>): void;
  addVoided(row: Record<string, unknown>): void;
  setPermission(has: boolean): void;
  expireTokens(): void;
  acknowledgements: string[];
};

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const AUDIENCE = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/androidpublisher';
const APPLICATION = /^\/androidpublisher\/v3\/applications\/([^/]+)\/purchases\/(.+)$/;

export const googleError = (status: number, reason: string): SimulatorAnswer => ({
  status,
  json: { error: { code: status, message: reason, errors: [{ domain: 'global', reason }] } },
});

const refused = (what: string): SimulatorAnswer => ({
  status: 400,
  json: { error: 'invalid_grant', error_description: what },
});

const parsePart = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString());

/** What is wrong with an assertion, as Google says it. */
function faultOf(assertion: string, accounts: ReadonlyMap<string, string>, nowSeconds: number) {
  const [head = '', body = '', signature = ''] = assertion.split('.');
  const claims = parsePart(body);
  const pem = accounts.get(String(claims.iss));
  if (pem === undefined) return 'Invalid grant: account not found';
  const signed = Buffer.from(`${head}.${body}`);
  const isRs256 = parsePart(head).alg === 'RS256';
  const bytes = Buffer.from(signature, 'base64url');
  if (!isRs256 || !verify('sha256', signed, createPublicKey(pem), bytes)) {
    return 'Invalid JWT Signature.';
  }
  const [iat, exp] = [Number(claims.iat), Number(claims.exp)];
  const isShort = exp - iat <= 3_600 && iat <= nowSeconds + 300 && nowSeconds < exp;
  if (!isShort) return 'Invalid JWT: Token must be a short-lived token (60 minutes)';
  if (claims.aud !== AUDIENCE) return 'Invalid JWT audience.';
  return claims.scope === SCOPE ? null : 'Invalid scope.';
}

export async function startPlayStore(now: () => Date): Promise<PlaySimulator> {
  const accounts = new Map<string, string>();
  const apps = new Set<string>();
  const purchases = new Map<string, Record<string, unknown>>();
  const voided: Record<string, unknown>[] = [];
  const acknowledgements: string[] = [];
  const tokens = new Set<string>();
  let hasPermission = true;

  function grant(body: string): SimulatorAnswer {
    const form = new URLSearchParams(body);
    if (form.get('grant_type') !== GRANT) return refused('grant_type');
    const fault = faultOf(form.get('assertion') ?? '', accounts, now().getTime() / 1_000);
    if (fault !== null) return refused(fault);
    const token = `ya29.${crypto.randomUUID()}`;
    tokens.add(token);
    return { status: 200, json: { access_token: token, expires_in: 3_599, token_type: 'Bearer' } };
  }

  function acknowledge(token: string): SimulatorAnswer {
    const found = purchases.get(token);
    if (!found) return googleError(404, 'notFound');
    if (found.subscriptionState === 'SUBSCRIPTION_STATE_PENDING') {
      return googleError(400, 'invalidPurchaseState');
    }
    if (found.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED') {
      return googleError(400, 'productNotOwnedByUser');
    }
    purchases.set(token, {
      ...found,
      acknowledgementState: 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED',
    });
    acknowledgements.push(token);
    return { status: 204 };
  }

  function listVoided(query: URLSearchParams): SimulatorAnswer {
    const start = Number(query.get('startTime') ?? 0);
    const isOfAllKinds = query.get('type') === '1';
    const rows = voided.filter((row) => isOfAllKinds && Number(row.voidedTimeMillis) >= start);
    return { status: 200, json: rows.length === 0 ? {} : { voidedPurchases: rows } };
  }

  function answer({ method, query }: SimulatorRequest, path: string): SimulatorAnswer | null {
    const read = /^subscriptionsv2\/tokens\/([^/:]+)$/.exec(path);
    if (method === 'GET' && read) {
      const found = purchases.get(decodeURIComponent(read[1] ?? ''));
      return found ? { status: 200, json: found } : googleError(404, 'notFound');
    }
    const ack = /^subscriptions\/[^/]+\/tokens\/([^/:]+):acknowledge$/.exec(path);
    if (method === 'POST' && ack) return acknowledge(decodeURIComponent(ack[1] ?? ''));
    return method === 'GET' && path === 'voidedpurchases' ? listVoided(query) : null;
  }

  const simulator = await startSimulator((request, violate) => {
    if (request.method === 'POST' && request.path === '/token') return grant(request.body);
    const bearer = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (!tokens.has(bearer)) return googleError(401, 'authError');
    const [, packageName = '', path = ''] = APPLICATION.exec(request.path) ?? [];
    if (!apps.has(packageName)) return googleError(404, 'applicationNotFound');
    if (!hasPermission) return googleError(401, 'permissionDenied');
    return answer(request, path) ?? violate('no such method');
  });

  return {
    ...simulator,
    acknowledgements,
    addAccount: (email, pem) => accounts.set(email, pem),
    addApp: (packageName) => apps.add(packageName),
    put: (token, purchase) => purchases.set(token, purchase),
    addVoided: (row) => voided.push(row),
    setPermission: (has) => {
      hasPermission = has;
    },
    expireTokens: () => tokens.clear(),
  };
}
