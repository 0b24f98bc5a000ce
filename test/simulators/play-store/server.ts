import { createPublicKey, verify } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
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
  /** As `getproductpurchasev2` answers. */
  putProduct(token: string, purchase: Record<string, unknown>): void;
  /** As `orders.get` answers; each sold one has an order of 9.99 EUR before. */
  putOrder(orderId: string, total: { currencyCode: string; units: string; nanos: number }): void;
  /** False: no order can be read. */
  setOrders(are: boolean): void;
  addVoided(row: Record<string, unknown>): void;
  setVoidsPerPage(rows: number): void;
  /** The header of a push, signed by Google's key. */
  signPush(claims: Record<string, unknown>): Promise<string>;
  setPermission(has: boolean): void;
  expireTokens(): void;
  acknowledgements: string[];
};

const ACKNOWLEDGED = 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED';
type OrderLine = { productId: unknown; total: Record<string, unknown> };
const LIST_PRICE = { currencyCode: 'EUR', units: '9', nanos: 990_000_000 };
const PUSH_KEY_ID = 'push-1';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const AUDIENCE = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/androidpublisher';
const APPLICATION = /^\/androidpublisher\/v3\/applications\/([^/]+)\/(.+)$/;

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
  const products = new Map<string, Record<string, unknown>>();
  const orders = new Map<string, OrderLine[]>();
  let areOrders = true;
  let voidsPerPage = 1_000;
  const pushKey = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(pushKey.publicKey)), kid: PUSH_KEY_ID, alg: 'RS256' };
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

  function refusalToAcknowledge(found: Record<string, unknown> | undefined) {
    if (!found) return googleError(404, 'notFound');
    const context = found.purchaseStateContext as { purchaseState?: string } | undefined;
    const isPending =
      found.subscriptionState === 'SUBSCRIPTION_STATE_PENDING' ||
      context?.purchaseState === 'PENDING';
    if (isPending) return googleError(400, 'invalidPurchaseState');
    const isAcknowledged = found.acknowledgementState === ACKNOWLEDGED;
    return isAcknowledged ? googleError(400, 'productNotOwnedByUser') : null;
  }

  function acknowledge(kind: string, token: string): SimulatorAnswer {
    const kept = kind === 'subscriptions' ? purchases : products;
    const found = kept.get(token);
    const refusal = refusalToAcknowledge(found);
    if (refusal) return refusal;
    kept.set(token, { ...found, acknowledgementState: ACKNOWLEDGED });
    acknowledgements.push(token);
    return { status: 204 };
  }

  /** The wrong family of methods is answered as a token that is no more. */
  function show(kind: string, token: string): SimulatorAnswer {
    const [kept, others] =
      kind === 'subscriptionsv2' ? [purchases, products] : [products, purchases];
    const found = kept.get(token);
    if (found) return { status: 200, json: found };
    if (others.has(token)) return googleError(410, 'purchaseTokenNoLongerValid');
    return googleError(404, 'notFound');
  }

  function keepOrder(orderId: unknown, productIds: unknown[]): void {
    if (typeof orderId !== 'string' || orders.has(orderId)) return;
    orders.set(
      orderId,
      productIds.map((productId) => ({ productId, total: LIST_PRICE })),
    );
  }

  function showOrder(orderId: string): SimulatorAnswer {
    const lineItems = orders.get(orderId);
    if (!areOrders || !lineItems) return googleError(404, 'notFound');
    return { status: 200, json: { orderId, state: 'PROCESSED', lineItems } };
  }

  function listVoided(query: URLSearchParams): SimulatorAnswer {
    const start = Number(query.get('startTime') ?? 0);
    const isOfAllKinds = query.get('type') === '1';
    const rows = voided
      .filter((row) => isOfAllKinds && Number(row.voidedTimeMillis) >= start)
      .toSorted((one, other) => Number(one.voidedTimeMillis) - Number(other.voidedTimeMillis));
    const from = Number(query.get('token') ?? 0);
    const page = rows.slice(from, from + voidsPerPage);
    const next = from + voidsPerPage;
    return {
      status: 200,
      json: {
        ...(page.length > 0 && { voidedPurchases: page }),
        ...(next < rows.length && { tokenPagination: { nextPageToken: String(next) } }),
      },
    };
  }

  function answer({ method, query }: SimulatorRequest, path: string): SimulatorAnswer | null {
    const read = /^purchases\/(subscriptionsv2|productsv2)\/tokens\/([^/:]+)$/.exec(path);
    if (method === 'GET' && read) return show(read[1] ?? '', decodeURIComponent(read[2] ?? ''));
    const order = /^orders\/([^/:]+)$/.exec(path);
    if (method === 'GET' && order) return showOrder(decodeURIComponent(order[1] ?? ''));
    const ack = /^purchases\/(subscriptions|products)\/[^/]+\/tokens\/([^/:]+):acknowledge$/.exec(
      path,
    );
    if (method === 'POST' && ack) {
      return acknowledge(ack[1] ?? '', decodeURIComponent(ack[2] ?? ''));
    }
    return method === 'GET' && path === 'purchases/voidedpurchases' ? listVoided(query) : null;
  }

  const simulator = await startSimulator((request, violate) => {
    if (request.method === 'POST' && request.path === '/token') return grant(request.body);
    if (request.method === 'GET' && request.path === '/certs') {
      return { status: 200, json: { keys: [jwk] } };
    }
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
    put: (token, purchase) => {
      purchases.set(token, purchase);
      const lines = purchase.lineItems as Record<string, unknown>[];
      for (const { latestSuccessfulOrderId: id } of lines) {
        const ofOrder = lines.filter((line) => line.latestSuccessfulOrderId === id);
        keepOrder(
          id,
          ofOrder.map(({ productId }) => productId),
        );
      }
    },
    putOrder: (orderId, total) => {
      const lines = orders.get(orderId) ?? [];
      orders.set(
        orderId,
        lines.map(({ productId }) => ({ productId, total })),
      );
    },
    setOrders: (are) => {
      areOrders = are;
    },
    putProduct: (token, purchase) => {
      products.set(token, purchase);
      const lines = purchase.productLineItem as Record<string, unknown>[];
      keepOrder(
        purchase.orderId,
        lines.map(({ productId }) => productId),
      );
    },
    addVoided: (row) => voided.push(row),
    setVoidsPerPage: (rows) => {
      voidsPerPage = rows;
    },
    signPush: async (claims) => {
      const seconds = Math.floor(now().getTime() / 1_000);
      const all = {
        iss: 'https://accounts.google.com',
        email_verified: true,
        ...{ iat: seconds, exp: seconds + 3_600 },
        ...claims,
      };
      const header = { alg: 'RS256', kid: PUSH_KEY_ID };
      return `Bearer ${await new SignJWT(all).setProtectedHeader(header).sign(pushKey.privateKey)}`;
    },
    setPermission: (has) => {
      hasPermission = has;
    },
    expireTokens: () => tokens.clear(),
  };
}
