import { signAppStoreToken } from '../../shared/app-store-token.ts';
import type { StoreEnvironment } from '../../shared/environment.ts';
import { decodeJson, type HttpAnswer } from '../../shared/http.ts';
import * as errors from '../../shared/provider-error.ts';
import { exchangeWith } from '../../shared/provider-http.ts';
import type { Parser } from '../../shared/schema.ts';
import { type Clock, SECOND_MS } from '../../shared/time.ts';
import { toConsumptionBody, toStatus } from './map.ts';
import type {
  PurchaseKey,
  RenewalExtension,
  SignatureVerifier,
  StoreServer,
  SubscriptionStatus,
} from './port.ts';
import {
  errorAnswer,
  extensionAnswer,
  historyAnswer,
  orderAnswer,
  statusAnswer,
  testNotificationAnswer,
  transactionAnswer,
  transactionHistoryAnswer,
} from './wire.ts';

const TIMEOUT_MS = 5 * SECOND_MS;
/** Short: one token per request. */
const TOKEN_LIFE = { lifetimeSeconds: 300, backdatedSeconds: 30 };
const MAX_BYTES = 4 * 1024 * 1024;
/** Never issued: "not found" proves an accepted key. */
const UNKNOWN_TRANSACTION = '1';
const DEFAULT_WAIT_SECONDS = 60;
/** Transient error codes despite status 404. */
const RETRYABLE_CODES: ReadonlySet<number> = new Set([4_040_002, 4_040_004, 4_040_006]);

export type StoreServerOptions = {
  baseUrls: Readonly<Record<StoreEnvironment, string>>;
  verifier: SignatureVerifier;
  clock: Clock;
};

type Call = {
  key: PurchaseKey;
  environment: StoreEnvironment;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: unknown;
};

export function bearerToken(key: PurchaseKey, now: Date): Promise<string> {
  return signAppStoreToken(key, TOKEN_LIFE, now);
}

/** Milliseconds since the epoch, not seconds. */
export function storeWaitSeconds(header: string | null, now: Date): number {
  const at = header !== null && /^\d{1,16}$/.test(header) ? Number(header) : null;
  if (at === null) return DEFAULT_WAIT_SECONDS;
  const seconds = at > 1e11 ? (at - now.getTime()) / SECOND_MS : at;
  return Math.min(Math.max(Math.ceil(seconds), 1), errors.LONGEST_WAIT_SECONDS);
}

function parseErrorCode(answer: HttpAnswer): number | null {
  const body = decodeJson(answer);
  return errorAnswer.check(body) ? (body.errorCode ?? null) : null;
}

function failure(
  answer: HttpAnswer,
  { method }: Pick<Call, 'method'>,
  now: Date,
): errors.ProviderError | null {
  const byStatus = errors.failureOfStatus(answer.status);
  if (byStatus === null) return null;
  const code = parseErrorCode(answer);
  const kind = code !== null && RETRYABLE_CODES.has(code) ? 'unavailable' : byStatus;
  const wait =
    kind === 'rate_limited'
      ? { retryAfterSeconds: storeWaitSeconds(answer.headers.get('retry-after'), now) }
      : {};
  return new errors.ProviderError(
    kind,
    `The store answered ${answer.status}${code === null ? '' : ` (${code})`}.`,
    {
      status: answer.status,
      outcomeUnknown: method !== 'GET' && kind === 'unavailable',
      ...(code === null ? {} : { code }),
      ...wait,
    },
  );
}

type Send = (call: Call) => Promise<HttpAnswer>;
type Ask = <T>(call: Call, answer: Parser<T>) => Promise<T>;

const EXTENSION_REASONS: Readonly<Record<RenewalExtension['reason'], number>> = {
  undeclared: 0,
  satisfaction: 1,
  other: 2,
  outage: 3,
};

function changes(
  ask: Ask,
  send: Send,
): Pick<StoreServer, 'extendRenewal' | 'setAppAccountToken' | 'sendConsumption'> {
  const put = (key: PurchaseKey, environment: StoreEnvironment, path: string, body: unknown) => ({
    ...{ key, environment, method: 'PUT' as const, path, body },
  });
  return {
    async extendRenewal(key, environment, chainId, { days, reason, requestId }) {
      const path = `/inApps/v1/subscriptions/extend/${encodeURIComponent(chainId)}`;
      const body = {
        extendByDays: days,
        extendReasonCode: EXTENSION_REASONS[reason],
        requestIdentifier: requestId,
      };
      const answer = await ask(put(key, environment, path, body), extensionAnswer);
      if (answer.success === false) {
        throw new errors.ProviderError('conflict', 'The store did not extend the subscription.');
      }
      return { renewsAtMs: answer.effectiveDate ?? null };
    },
    async setAppAccountToken(key, environment, chainId, appAccountToken) {
      const path = `/inApps/v1/transactions/${encodeURIComponent(chainId)}/appAccountToken`;
      await send(put(key, environment, path, { appAccountToken }));
    },
    async sendConsumption(key, environment, transactionId, consumption) {
      const path = `/inApps/v2/transactions/consumption/${encodeURIComponent(transactionId)}`;
      await send(put(key, environment, path, toConsumptionBody(consumption)));
    },
  };
}

function nextOf(hasMore = false, next = ''): string | null {
  if (hasMore && next === '')
    throw new errors.ProviderError('malformed', 'A page does not name its next.');
  return hasMore ? next : null;
}

function historyReads(
  ask: Ask,
  verifier: SignatureVerifier,
): Pick<StoreServer, 'transactionHistory' | 'notificationHistory'> {
  return {
    async transactionHistory(key, environment, transactionId, revision) {
      const query = new URLSearchParams({ sort: 'ASCENDING', ...(revision && { revision }) });
      const path = `/inApps/v2/history/${encodeURIComponent(transactionId)}?${query}`;
      const page = await ask({ key, environment, method: 'GET', path }, transactionHistoryAnswer);
      const signed = page.signedTransactions ?? [];
      return {
        transactions: await Promise.all(signed.map((jws) => verifier.transaction(jws))),
        revision: nextOf(page.hasMore, page.revision),
      };
    },
    async notificationHistory(key, environment, window, paginationToken) {
      const query = paginationToken ? `?${new URLSearchParams({ paginationToken })}` : '';
      const path = `/inApps/v1/notifications/history${query}`;
      const body = { startDate: window.startMs, endDate: window.endMs };
      const page = await ask({ key, environment, method: 'POST', path, body }, historyAnswer);
      return {
        signedPayloads: (page.notificationHistory ?? []).map((item) => item.signedPayload),
        paginationToken: nextOf(page.hasMore, page.paginationToken),
      };
    },
  };
}

/** Apple's client drops retry times and fixes the address. */
export function createStoreServer(options: StoreServerOptions): StoreServer {
  const exchange = async ({ key, environment, method, path, body }: Call): Promise<HttpAnswer> =>
    exchangeWith({
      method,
      url: new URL(`${options.baseUrls[environment].replace(/\/$/, '')}${path}`),
      headers: {
        authorization: `Bearer ${await bearerToken(key, options.clock())}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });

  const send: Send = async (call) => {
    const raw = await exchange(call);
    const failed = failure(raw, call, options.clock());
    if (failed) throw failed;
    return raw;
  };

  const ask: Ask = async (call, answer) => {
    const raw = await send(call);
    try {
      return answer.parse(decodeJson(raw));
    } catch (cause) {
      const outcomeUnknown = call.method !== 'GET';
      throw new errors.ProviderError('malformed', "The store's answer is malformed.", {
        ...{ outcomeUnknown, cause },
      });
    }
  };

  const acceptsKey = async (key: PurchaseKey, environment: StoreEnvironment): Promise<boolean> => {
    const path = `/inApps/v1/transactions/${UNKNOWN_TRANSACTION}`;
    const answer = await exchange({ key, environment, method: 'GET', path });
    // Errors about the transaction are only for known keys.
    if (answer.status === 404 || answer.status === 400) return parseErrorCode(answer) !== null;
    if (answer.status === 401) return false;
    const failed = failure(answer, { method: 'GET' }, options.clock());
    if (failed) throw failed;
    return true;
  };

  type Item = ReturnType<typeof statusAnswer.parse>['data'][number]['lastTransactions'][number];
  const openItem = async (item: Item): Promise<SubscriptionStatus> => ({
    chainId: item.originalTransactionId,
    status: toStatus(item.status),
    transaction: await options.verifier.transaction(item.signedTransactionInfo),
    renewal: item.signedRenewalInfo ? await options.verifier.renewal(item.signedRenewalInfo) : null,
  });

  return {
    async checkKey(key) {
      // Unreleased apps exist in the sandbox only.
      const accepted = (await acceptsKey(key, 'Production')) || (await acceptsKey(key, 'Sandbox'));
      if (!accepted)
        throw new errors.ProviderError('unauthorized', 'The store does not accept the key.');
    },
    async subscriptionStatuses(key, environment, transactionId) {
      const path = `/inApps/v1/subscriptions/${encodeURIComponent(transactionId)}`;
      const answer = await ask({ key, environment, method: 'GET', path }, statusAnswer);
      const items = answer.data.flatMap((group) => group.lastTransactions);
      return Promise.all(items.map(openItem));
    },
    async transaction(key, environment, transactionId) {
      const path = `/inApps/v1/transactions/${encodeURIComponent(transactionId)}`;
      const answer = await ask({ key, environment, method: 'GET', path }, transactionAnswer);
      return options.verifier.transaction(answer.signedTransactionInfo);
    },
    async lookUpOrder(key, orderId) {
      const path = `/inApps/v1/lookup/${encodeURIComponent(orderId)}`;
      const call: Call = { key, environment: 'Production', method: 'GET', path };
      const order = await ask(call, orderAnswer);
      const signed = order.status === 0 ? (order.signedTransactions ?? []) : [];
      return Promise.all(signed.map((jws) => options.verifier.transaction(jws)));
    },
    ...historyReads(ask, options.verifier),
    ...changes(ask, send),
    async requestTestNotification(key, environment) {
      const path = '/inApps/v1/notifications/test';
      const call: Call = { key, environment, method: 'POST', path };
      return (await ask(call, testNotificationAnswer)).testNotificationToken;
    },
  };
}
