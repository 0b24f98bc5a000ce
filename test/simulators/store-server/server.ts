import { type KeyObject, verify } from 'node:crypto';
import { type Simulator, type SimulatorAnswer, startSimulator } from '../kit/server.ts';
import { type Changed, changeAnswer, fail, nothingChanged } from './changes.ts';
import {
  type NotificationPayload,
  notificationPayload,
  type RenewalPayload,
  type SimEnvironment,
  type TransactionPayload,
} from './payloads.ts';
import { type Pki, signJws } from './pki.ts';

export type StatusItem = {
  groupId: string;
  status: number;
  transaction: TransactionPayload;
  renewal?: RenewalPayload;
};

type SentNotification = {
  payload: NotificationPayload;
  signedPayload: string;
  about: string | null;
};

type World = {
  transactions: Map<string, TransactionPayload>;
  statuses: Map<string, StatusItem[]>;
  sent: SentNotification[];
  /** Transactions by the order id of the store's mail. */
  orders: Map<string, TransactionPayload[]>;
  changed: Changed;
};

export type StoreServerSimulator = {
  pki: Pki;
  production: Simulator;
  sandbox: Simulator;
  /** An In-App Purchase key that the store gave out. */
  addKey(key: { keyId: string; issuerId: string; publicKey: KeyObject }): void;
  revokeKey(keyId: string): void;
  addApp(bundleId: string, options?: { onSale?: boolean }): void;
  /** What the store answers for any transaction of this chain. */
  setChain(environment: SimEnvironment, items: StatusItem[]): void;
  addTransaction(transaction: TransactionPayload): string;
  /** An order of production: the sandbox sends no mail. */
  addOrder(orderId: string, transactions: TransactionPayload[]): void;
  /** Signs a notification and keeps it in the history; delivering it is the caller's business. */
  notify(
    environment: SimEnvironment,
    payload: NotificationPayload,
    about?: { transaction?: TransactionPayload; renewal?: RenewalPayload },
  ): string;
  sign(payload: unknown): string;
  changed(environment: SimEnvironment): Changed;
  stop(): Promise<void>;
};

const PAGE = 20;
const HISTORY_DAYS: Record<SimEnvironment, number> = { Production: 180, Sandbox: 30 };

const NOT_FOUND = fail(404, 4040010, 'Transaction id not found.');
/** The store's 401 has no JSON body. */
const UNAUTHENTICATED: SimulatorAnswer = { status: 401, text: 'Unauthenticated' };

/** The store's 429: `Retry-After` is a time in milliseconds. */
export function tooManyRequests(untilMs: number) {
  return {
    kind: 'status' as const,
    status: 429,
    headers: { 'retry-after': String(untilMs), 'content-type': 'application/json' },
    body: JSON.stringify({ errorCode: 4290000, errorMessage: 'Rate limit exceeded.' }),
  };
}

const decode = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'));

/** Checks a bearer token as the store does; gives the bundle id, or null for a 401. */
function bundleOfToken(
  authorization: string | undefined,
  keys: Map<string, { issuerId: string; publicKey: KeyObject }>,
): string | null {
  const token = authorization?.replace(/^Bearer /, '') ?? '';
  const [header, claims, signature] = token.split('.');
  try {
    const { alg, kid, typ } = decode(header);
    const { iss, iat, exp, aud, bid } = decode(claims);
    const key = keys.get(kid);
    const now = Date.now() / 1_000;
    if (!key || alg !== 'ES256' || typ !== 'JWT' || aud !== 'appstoreconnect-v1') return null;
    if (iss !== key.issuerId || iat > now + 60 || exp < now || exp - iat > 3_600) return null;
    const raw = Buffer.from(signature ?? '', 'base64url');
    const good = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      { key: key.publicKey, dsaEncoding: 'ieee-p1363' },
      raw,
    );
    return raw.length === 64 && good && typeof bid === 'string' ? bid : null;
  } catch {
    return null;
  }
}

type HistoryQuery = {
  environment: SimEnvironment;
  bundleId: string;
  body: unknown;
  token: string | null;
};

function historyAnswer(world: World, query: HistoryQuery): SimulatorAnswer {
  const { startDate, endDate } = (query.body ?? {}) as { startDate?: number; endDate?: number };
  if (typeof startDate !== 'number' || typeof endDate !== 'number') {
    return fail(400, 4000009, 'Invalid start or end date.');
  }
  const days = HISTORY_DAYS[query.environment];
  if (startDate < Date.now() - days * 86_400_000) {
    return fail(400, 4000012, 'Start date too far in the past.');
  }
  if (startDate > endDate) return fail(400, 4000013, 'Start date after end date.');
  const offset = query.token === null ? 0 : Number(query.token.split(':')[1]);
  if (!Number.isInteger(offset)) return fail(400, 4000014, 'Invalid pagination token.');
  const all = world.sent.filter(
    ({ payload }) =>
      (payload.data ?? payload.appData ?? payload.externalPurchaseToken)?.bundleId ===
        query.bundleId &&
      payload.signedDate >= startDate &&
      payload.signedDate <= endDate,
  );
  const hasMore = offset + PAGE < all.length;
  return {
    status: 200,
    json: {
      hasMore,
      ...(hasMore ? { paginationToken: `page:${offset + PAGE}` } : {}),
      notificationHistory: all.slice(offset, offset + PAGE).map(({ signedPayload }) => ({
        signedPayload,
        sendAttempts: [{ attemptDate: Date.now(), sendAttemptResult: 'SUCCESS' }],
      })),
    },
  };
}

type PersonQuery = { id: string; bundleId: string; revision: string | null };

/** Get Transaction History: what the person of a transaction bought in the app, signed just now. */
function transactionsAnswer(
  world: World,
  { id, bundleId, revision }: PersonQuery,
  sign: (payload: unknown) => string,
): SimulatorAnswer {
  const known = world.transactions.get(id);
  const chain = known?.originalTransactionId ?? id;
  const all = [...world.transactions.values()]
    .filter((one) => one.originalTransactionId === chain && one.bundleId === bundleId)
    .toSorted((a, b) => a.purchaseDate - b.purchaseDate);
  const [first] = all;
  if (!first) return NOT_FOUND;
  const offset = revision === null ? 0 : Number(revision.split(':')[1]);
  if (!Number.isInteger(offset)) return fail(400, 4000005, 'Invalid revision.');
  const end = Math.min(offset + PAGE, all.length);
  const signedDate = Date.now();
  return {
    status: 200,
    json: {
      revision: `revision:${end}`,
      hasMore: end < all.length,
      bundleId,
      environment: first.environment,
      signedTransactions: all.slice(offset, end).map((one) => sign({ ...one, signedDate })),
    },
  };
}

const ownTransaction = (world: World, bundleId: string) => (id: string) => {
  const transaction = world.transactions.get(id);
  return transaction?.bundleId === bundleId ? transaction : undefined;
};

const newestOf = (world: World, bundleId: string) => (id: string) =>
  world.statuses
    .get(id)
    ?.filter(
      ({ transaction }) =>
        transaction.originalTransactionId === id && transaction.bundleId === bundleId,
    )
    .toSorted((a, b) => (b.transaction.expiresDate ?? 0) - (a.transaction.expiresDate ?? 0))[0];

/** The App Store Server API, both environments, with its own root of trust. */
export async function startStoreServer(pki: Pki): Promise<StoreServerSimulator> {
  const keys = new Map<string, { issuerId: string; publicKey: KeyObject }>();
  const apps = new Map<string, { onSale: boolean }>();
  const emptyWorld = (): World => ({
    transactions: new Map(),
    statuses: new Map(),
    sent: [],
    orders: new Map(),
    changed: nothingChanged(),
  });
  const worlds: Record<SimEnvironment, World> = { Production: emptyWorld(), Sandbox: emptyWorld() };
  const sign = (payload: unknown) => signJws(pki, payload);

  const statusesAnswer = (
    world: World,
    environment: SimEnvironment,
    id: string,
    bundleId: string,
  ) => {
    const chain = world.transactions.get(id)?.originalTransactionId ?? id;
    const items = world.statuses.get(chain);
    if (!items) return NOT_FOUND;
    const groups = Map.groupBy(items, (item) => item.groupId);
    const signedDate = Date.now();
    const data = [...groups].map(([groupId, members]) => ({
      subscriptionGroupIdentifier: groupId,
      lastTransactions: members.map((item) => ({
        originalTransactionId: item.transaction.originalTransactionId,
        status: item.status,
        signedTransactionInfo: sign({ ...item.transaction, signedDate }),
        ...(item.renewal ? { signedRenewalInfo: sign({ ...item.renewal, signedDate }) } : {}),
      })),
    }));
    return { status: 200, json: { environment, bundleId, data } };
  };

  const start = (environment: SimEnvironment) =>
    startSimulator((request, violate) => {
      const world = worlds[environment];
      const bundleId = bundleOfToken(request.headers.authorization, keys);
      const app = bundleId === null ? undefined : apps.get(bundleId);
      if (bundleId === null || !app) return UNAUTHENTICATED;
      if (environment === 'Production' && !app.onSale) return UNAUTHENTICATED;
      const [, , version, resource, id] = request.path.split('/');
      const route = `${request.method} ${version}/${resource}`;
      if (route === 'GET v1/transactions') {
        const transaction = world.transactions.get(id ?? '');
        if (!transaction) return NOT_FOUND;
        const signedTransactionInfo = sign({ ...transaction, signedDate: Date.now() });
        return { status: 200, json: { signedTransactionInfo } };
      }
      if (route === 'GET v1/subscriptions') {
        return statusesAnswer(world, environment, id ?? '', bundleId);
      }
      if (route === 'GET v1/lookup') {
        if (environment === 'Sandbox') return violate('the sandbox has no orders');
        if (!/^[A-Z0-9]{8,20}$/.test(id ?? '')) return violate('no order id');
        const order = (world.orders.get(id ?? '') ?? []).filter((one) => one.bundleId === bundleId);
        const signedDate = Date.now();
        return order.length === 0
          ? { status: 200, json: { status: 1 } }
          : {
              status: 200,
              json: {
                status: 0,
                signedTransactions: order.map((one) => sign({ ...one, signedDate })),
              },
            };
      }
      if (route === 'GET v2/history') {
        const revision = request.query.get('revision');
        return transactionsAnswer(world, { id: id ?? '', bundleId, revision }, sign);
      }
      if (route === 'POST v1/notifications' && id === 'history') {
        const token = request.query.get('paginationToken');
        return historyAnswer(world, { environment, bundleId, body: request.json, token });
      }
      if (route === 'POST v1/notifications' && id === 'test') {
        return {
          status: 200,
          json: { testNotificationToken: `${crypto.randomUUID()}_${Date.now()}` },
        };
      }
      if (request.method !== 'PUT') return violate('no such resource');
      const path = request.path.replace('/inApps/', '');
      const asked = { environment, path, body: request.json };
      const known = {
        transaction: ownTransaction(world, bundleId),
        chain: newestOf(world, bundleId),
      };
      return changeAnswer(asked, known, world.changed, violate) ?? violate('no such resource');
    });

  const production = await start('Production');
  const sandbox = await start('Sandbox');
  return {
    pki,
    production,
    sandbox,
    sign,
    changed: (environment) => worlds[environment].changed,
    addKey: (key) => void keys.set(key.keyId, key),
    revokeKey: (keyId) => void keys.delete(keyId),
    addApp: (bundleId, options = {}) => void apps.set(bundleId, { onSale: options.onSale ?? true }),
    setChain(environment, items) {
      const world = worlds[environment];
      for (const { transaction } of items) {
        world.transactions.set(transaction.transactionId, transaction);
        world.statuses.set(transaction.originalTransactionId, items);
      }
    },
    addOrder: (orderId, transactions) => void worlds.Production.orders.set(orderId, transactions),
    addTransaction(transaction) {
      const environment = transaction.environment as SimEnvironment;
      worlds[environment].transactions.set(transaction.transactionId, transaction);
      return sign(transaction);
    },
    notify(environment, payload, about = {}) {
      const complete = notificationPayload({
        ...payload,
        ...(payload.data
          ? {
              data: {
                ...payload.data,
                ...(about.transaction ? { signedTransactionInfo: sign(about.transaction) } : {}),
                ...(about.renewal ? { signedRenewalInfo: sign(about.renewal) } : {}),
              },
            }
          : {}),
      });
      const signedPayload = sign(complete);
      worlds[environment].sent.push({
        payload: complete,
        signedPayload,
        about: about.transaction?.transactionId ?? null,
      });
      return signedPayload;
    },
    stop: async () => {
      await production.stop();
      await sandbox.stop();
    },
  };
}
