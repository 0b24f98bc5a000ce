import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Grants } from '../kit/google-grants.ts';
import {
  type Simulator,
  type SimulatorAnswer,
  type SimulatorRequest,
  startSimulator,
} from '../kit/server.ts';
import { googleError } from './errors.ts';
import { Reviews } from './reviews.ts';
import { type Called, checkAnswer, findMethod, refuseRequest, SCOPES } from './schema.ts';
import { Voids } from './voids.ts';

type Body = Record<string, unknown>;
type Put = {
  /** With fields and values that Google may add some day. */
  isOfTomorrow?: boolean;
  /** Of any by default. */
  packageName?: string;
};

export type PlaySimulator = Simulator & {
  /** A service account whose public key Google knows. */
  addAccount(email: string, publicKeyPem: string): void;
  addApp(packageName: string): void;
  /** As `subscriptionsv2.get` answers; throws where it breaks Google's schema, as the next two do. */
  put(token: string, purchase: Body, more?: Put): void;
  /** As `getproductpurchasev2` answers. */
  putProduct(token: string, purchase: Body, more?: Put): void;
  isProduct(token: string): boolean;
  addVoided(row: Body, packageName?: string): void;
  /** As `orders.get` answers; each sold one has an order of 9.99 EUR before. */
  putOrder(orderId: string, total: Money, periodStart?: string): void;
  putWholeOrder(order: Body): void;
  /** As `monetization.subscriptions.get` answers. */
  putCatalogue(product: Body): void;
  /** False: no order can be read. */
  setOrders(are: boolean): void;
  setVoidsPerPage(rows: number): void;
  /** The header of a push, signed by Google's key. */
  signPush(claims: Body): Promise<string>;
  setPermission(has: boolean): void;
  expireTokens(): void;
  acknowledgements: string[];
  reviews: Reviews;
};

const ACKNOWLEDGED = 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED';
type Money = { currencyCode: string; units: string; nanos?: number };
type Kept = Map<string, Put & { purchase: Body }>;
const LIST_PRICE = { currencyCode: 'EUR', units: '9', nanos: 990_000_000 };
const PUSH_KEY_ID = 'push-1';
const MOST_ORDERS = 1_000;
const READABLE_AFTER_END_MS = 60 * 86_400_000;

function refusalToAcknowledge(found: Body | undefined): SimulatorAnswer | null {
  if (!found) return googleError(404, 'notFound');
  const context = found.purchaseStateContext as { purchaseState?: string } | undefined;
  const isPending =
    found.subscriptionState === 'SUBSCRIPTION_STATE_PENDING' ||
    context?.purchaseState === 'PENDING' ||
    context?.purchaseState === 'CANCELLED';
  if (isPending) return googleError(400, 'invalidPurchaseState');
  const isAcknowledged = found.acknowledgementState === ACKNOWLEDGED;
  return isAcknowledged ? googleError(400, 'productNotOwnedByUser') : null;
}

/** An expired subscription is no more after sixty days. */
function isGone({ subscriptionState, lineItems }: Body, now: number): boolean {
  if (subscriptionState !== 'SUBSCRIPTION_STATE_EXPIRED') return false;
  const ends = (lineItems as { expiryTime: string }[]).map((line) => Date.parse(line.expiryTime));
  return Math.max(...ends) + READABLE_AFTER_END_MS <= now;
}

type Acknowledging = { now: number; productId: string; json?: unknown };

/** The id of a subscription is no longer needed. */
const namesProduct = ({ productLineItem }: Body, productId: string): boolean =>
  (productLineItem as Body[]).some((line) => line.productId === productId);

/** Ids are taken of a purchase that was made in the store; then Google forgets the one before. */
function withAccount({ outOfAppPurchaseContext: before, ...purchase }: Body, json: unknown) {
  const { externalAccountIds: ids } = (json ?? {}) as { externalAccountIds?: Body };
  if (!ids) return purchase;
  if (!before) return null;
  const externalAccountIdentifiers = {
    obfuscatedExternalAccountId: ids.obfuscatedAccountId,
    obfuscatedExternalProfileId: ids.obfuscatedProfileId,
  };
  return { ...purchase, externalAccountIdentifiers };
}

/** Purchases as Google keeps them. */
class Shelf {
  readonly subscriptions: Kept = new Map();
  readonly products: Kept = new Map();
  readonly orders = new Map<string, Body>();
  readonly catalogue = new Map<string, Body>();
  readonly acknowledgements: string[] = [];
  areOrders = true;

  put(kept: Kept, schema: string, token: string, purchase: Body, more: Put) {
    checkAnswer(schema, purchase, more.isOfTomorrow);
    const isAcknowledged = kept.get(token)?.purchase.acknowledgementState === ACKNOWLEDGED;
    const acknowledged = { ...purchase, acknowledgementState: ACKNOWLEDGED };
    kept.set(token, { purchase: isAcknowledged ? acknowledged : purchase, ...more });
  }

  isOfAnother(token: string, packageName: string): boolean {
    const { packageName: own } = this.subscriptions.get(token) ?? this.products.get(token) ?? {};
    return own !== undefined && own !== packageName;
  }

  keepOrder(purchaseToken: string, orderId: unknown, lines: readonly Body[]): void {
    if (typeof orderId !== 'string' || this.orders.has(orderId)) return;
    const lineItems = lines.map(({ productId }) => ({ productId, total: LIST_PRICE }));
    this.orders.set(orderId, { orderId, purchaseToken, state: 'PROCESSED', lineItems });
  }

  acknowledge(kept: Kept, token: string, { now, productId, json }: Acknowledging): SimulatorAnswer {
    const shown = this.show(kept, token, now);
    if (shown.status !== 200) return shown;
    const found = kept.get(token);
    if (found && kept === this.products && !namesProduct(found.purchase, productId)) {
      return googleError(400, 'purchaseTokenDoesNotMatchProductId');
    }
    const refusal = refusalToAcknowledge(found?.purchase);
    if (refusal || !found) return refusal ?? googleError(404, 'notFound');
    const named = withAccount(found.purchase, json);
    if (!named) return googleError(400, 'invalidValue', 'account ids of no resubscription');
    const purchase = { ...named, acknowledgementState: ACKNOWLEDGED };
    kept.set(token, { ...found, purchase });
    this.acknowledgements.push(token);
    return { status: 204 };
  }

  /** The wrong family of methods is answered as a token that is no more. */
  show(kept: Kept, token: string, now: number): SimulatorAnswer {
    const found = kept.get(token);
    if (found && isGone(found.purchase, now)) {
      return googleError(410, 'subscriptionPurchaseNoLongerAvailable');
    }
    if (found) return { status: 200, json: found.purchase };
    const isOther = this.subscriptions.has(token) || this.products.has(token);
    return isOther ? googleError(410, 'purchaseTokenNoLongerValid') : googleError(404, 'notFound');
  }

  putOrder(order: Body): void {
    checkAnswer('Order', order);
    this.orders.set(String(order.orderId), order);
  }

  /** All or none. */
  showOrders(orderIds: readonly string[]): SimulatorAnswer {
    const isRight = orderIds.length > 0 && orderIds.length <= MOST_ORDERS;
    if (!isRight || new Set(orderIds).size < orderIds.length) {
      return googleError(400, 'invalidValue');
    }
    const orders = orderIds.flatMap((id) => (this.areOrders && this.orders.get(id)) || []);
    const areAll = orders.length === orderIds.length;
    return areAll ? { status: 200, json: { orders } } : googleError(404, 'notFound');
  }

  showOrder(orderId: string): SimulatorAnswer {
    const json = this.orders.get(orderId);
    return this.areOrders && json ? { status: 200, json } : googleError(404, 'notFound');
  }

  isOfTomorrow(token: string): boolean {
    return (this.subscriptions.get(token) ?? this.products.get(token))?.isOfTomorrow ?? false;
  }
}

async function createPushKey(now: () => Date) {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const header = { alg: 'RS256', kid: PUSH_KEY_ID };
  return {
    jwk: { ...(await exportJWK(publicKey)), ...header },
    sign: async (claims: Body) => {
      const seconds = Math.floor(now().getTime() / 1_000);
      const all = {
        iss: 'https://accounts.google.com',
        email_verified: true,
        ...{ iat: seconds, exp: seconds + 3_600 },
        ...claims,
      };
      return `Bearer ${await new SignJWT(all).setProtectedHeader(header).sign(privateKey)}`;
    },
  };
}

type Desk = {
  shelf: Shelf;
  voids: Voids;
  reviews: Reviews;
  now: number;
  violate: (what: string) => SimulatorAnswer;
};

function carryOut(
  { method, parameters }: Called,
  { query, json }: SimulatorRequest,
  { shelf, voids, reviews, now, violate }: Desk,
): SimulatorAnswer {
  const { token = '', orderId = '', packageName = '', productId = '' } = parameters;
  if (shelf.isOfAnother(token, packageName)) return googleError(400, 'purchaseTokenMismatch');
  switch (method.id.replace('androidpublisher.', '')) {
    case 'purchases.subscriptionsv2.get':
      return shelf.show(shelf.subscriptions, token, now);
    case 'purchases.productsv2.getproductpurchasev2':
      return shelf.show(shelf.products, token, now);
    case 'purchases.subscriptions.acknowledge':
      return shelf.acknowledge(shelf.subscriptions, token, { now, productId, json });
    case 'purchases.products.acknowledge':
      return shelf.acknowledge(shelf.products, token, { now, productId });
    case 'orders.reviewrefund':
      return reviews.answer({ orderId, packageName, json, now, violate });
    case 'orders.get':
      return shelf.showOrder(orderId);
    case 'orders.batchget':
      return shelf.showOrders(query.getAll('orderIds'));
    case 'monetization.subscriptions.get': {
      const json = shelf.catalogue.get(productId);
      return json ? { status: 200, json } : googleError(404, 'notFound');
    }
    case 'purchases.voidedpurchases.list': {
      const isProduct = (one: unknown) => shelf.products.has(String(one));
      return voids.list(query, { now, packageName, isProduct });
    }
    default:
      throw new Error(`The simulator does not carry out ${method.id}.`);
  }
}

export async function startPlayStore(now: () => Date): Promise<PlaySimulator> {
  const [grants, shelf, voids] = [new Grants(SCOPES), new Shelf(), new Voids()];
  const reviews = new Reviews();
  const apps = new Set<string>();
  const pushKey = await createPushKey(now);
  let hasPermission = true;

  const simulator = await startSimulator((request, violate) => {
    const nowMs = now().getTime();
    const { method, path } = request;
    if (method === 'POST' && path === '/token') return grants.grant(request.body, nowMs / 1_000);
    if (method === 'GET' && path === '/certs')
      return { status: 200, json: { keys: [pushKey.jwk] } };
    if (!grants.isGranted(request.headers.authorization, nowMs / 1_000))
      return googleError(401, 'authError');
    const called = findMethod(method, path);
    if (!called) return violate('no such method');
    const refused = refuseRequest(called, request);
    if (refused) {
      violate(refused.message);
      return googleError(400, refused.reason, refused.message);
    }
    const { packageName = '', token = '' } = called.parameters;
    if (!apps.has(packageName)) return googleError(404, 'applicationNotFound');
    if (!hasPermission) return googleError(401, 'permissionDenied');
    const answer = carryOut(called, request, { shelf, voids, reviews, now: nowMs, violate });
    const { response } = called.method;
    if (answer.status !== 200 || !response) return answer;
    try {
      checkAnswer(response.$ref, answer.json, shelf.isOfTomorrow(token));
      return answer;
    } catch (thrown) {
      violate(String(thrown));
      return googleError(500, 'backendError');
    }
  });

  return {
    ...simulator,
    acknowledgements: shelf.acknowledgements,
    reviews,
    addAccount: (email, pem) => grants.accounts.set(email, pem),
    addApp: (packageName) => apps.add(packageName),
    put: (token, purchase, more = {}) => {
      shelf.put(shelf.subscriptions, 'SubscriptionPurchaseV2', token, purchase, more);
      const lines = purchase.lineItems as Body[];
      for (const { latestSuccessfulOrderId: id } of lines) {
        const ofOrder = lines.filter((line) => line.latestSuccessfulOrderId === id);
        shelf.keepOrder(token, id, ofOrder);
      }
    },
    putProduct: (token, purchase, more = {}) => {
      shelf.put(shelf.products, 'ProductPurchaseV2', token, purchase, more);
      shelf.keepOrder(token, purchase.orderId, purchase.productLineItem as Body[]);
    },
    isProduct: (token) => shelf.products.has(token),
    addVoided: (row, packageName) => {
      checkAnswer('VoidedPurchase', row);
      voids.kept.push({ row, packageName });
    },
    putOrder: (orderId, total, servicePeriodStartTime) => {
      const subscriptionDetails = { servicePeriodStartTime };
      const details = servicePeriodStartTime === undefined ? {} : { subscriptionDetails };
      const order = shelf.orders.get(orderId) ?? {};
      const lines = (order.lineItems ?? []) as Body[];
      const lineItems = lines.map((line) => ({ ...line, total, ...details }));
      shelf.putOrder({ ...order, orderId, lineItems });
    },
    putWholeOrder: (order) => shelf.putOrder(order),
    putCatalogue: (product) => {
      checkAnswer('Subscription', product);
      shelf.catalogue.set(String(product.productId), product);
    },
    setOrders: (are) => {
      shelf.areOrders = are;
    },
    setVoidsPerPage: (rows) => {
      voids.rowsPerPage = rows;
    },
    signPush: pushKey.sign,
    setPermission: (has) => {
      hasPermission = has;
    },
    expireTokens: () => grants.expire(),
  };
}
