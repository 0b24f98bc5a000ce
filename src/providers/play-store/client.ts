import { createGrants, readServiceAccount } from '../../shared/google-grant.ts';
import { decodeJson, type HttpAnswer } from '../../shared/http.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { exchangeWith } from '../../shared/provider-http.ts';
import type { Parser } from '../../shared/schema.ts';
import { type Clock, DAY_MS, SECOND_MS } from '../../shared/time.ts';
import {
  toAcknowledgement,
  toOrder,
  toPlanPeriods,
  toProduct,
  toReviewBody,
  toSubscription,
  toVoidedPage,
} from './map.ts';
import * as port from './port.ts';
import { refusalOf } from './refusal.ts';
import {
  orderAnswer,
  ordersAnswer,
  plansAnswer,
  productAnswer,
  subscriptionAnswer,
  voidedAnswer,
} from './wire.ts';

const TIMEOUT_MS = 5 * SECOND_MS;
const MAX_BYTES = 4 * 1024 * 1024;
const PAGE = 1_000;
const FAMILIES: Readonly<Record<port.PlayKind, string>> = {
  subscription: 'subscriptions',
  product: 'products',
};

export type PlayStoreOptions = { baseUrl: string; tokenUrl: string; clock: Clock };

type Call = { method: 'GET' | 'POST'; packageName: string; path: string; body?: unknown };

/** RFC 3986, as Google's own client does. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Dots alone are another path. */
function segment(text: string): string {
  if (/^\.{0,2}$/.test(text)) throw new ProviderError('invalid', 'No name of a purchase or app.');
  return encode(text);
}

function parse<T>(answer: HttpAnswer, parser: Parser<T>): T {
  const body = decodeJson(answer);
  if (parser.check(body)) return body;
  throw new ProviderError('malformed', 'Google Play sent a response of an unknown shape.');
}

function createSend({ baseUrl, tokenUrl, clock }: PlayStoreOptions) {
  const grants = createGrants({ tokenUrl, scope: 'androidpublisher', clock });
  return async (
    key: port.PlayKey,
    { method, packageName, path, body = {} }: Call,
  ): Promise<HttpAnswer> => {
    const token = await grants.token(key);
    const root = `${baseUrl}/androidpublisher/v3/applications/${segment(packageName)}`;
    const answer = await exchangeWith({
      method,
      url: new URL(`${root}/${path}`),
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    const refusal = refusalOf(answer, method, clock());
    if (refusal?.failure === 'unauthorized') grants.forget(key);
    if (refusal) throw refusal;
    return answer;
  };
}

export function createPlayStore(options: PlayStoreOptions): port.PlayStore {
  const send = createSend(options);

  async function voided(key: port.PlayKey, { packageName, sinceMs, page }: port.VoidedQuestion) {
    // Without `type`, of one-time purchases only.
    const from = page === null ? `startTime=${sinceMs}` : `token=${encode(page)}`;
    const path = `purchases/voidedpurchases?type=1&maxResults=${PAGE}&${from}`;
    return toVoidedPage(parse(await send(key, { method: 'GET', packageName, path }), voidedAnswer));
  }

  async function subscription(
    key: port.PlayKey,
    { packageName, purchaseToken }: port.PlayPurchase,
  ) {
    const path = `purchases/subscriptionsv2/tokens/${segment(purchaseToken)}`;
    const answer = await send(key, { method: 'GET', packageName, path });
    return toSubscription(parse(answer, subscriptionAnswer));
  }

  async function product(key: port.PlayKey, { packageName, purchaseToken }: port.PlayPurchase) {
    const path = `purchases/productsv2/tokens/${segment(purchaseToken)}`;
    return toProduct(parse(await send(key, { method: 'GET', packageName, path }), productAnswer));
  }

  return {
    readKey: readServiceAccount,
    subscription,
    product,
    voided,
    async order(key, { packageName, orderId }) {
      const path = `orders/${segment(orderId)}`;
      return toOrder(parse(await send(key, { method: 'GET', packageName, path }), orderAnswer));
    },
    async orders(key, { packageName, orderIds }) {
      const path = `orders:batchGet?${orderIds.map((id) => `orderIds=${encode(id)}`).join('&')}`;
      const answer = parse(await send(key, { method: 'GET', packageName, path }), ordersAnswer);
      return (answer.orders ?? []).map(toOrder);
    },
    async planPeriods(key, { packageName, productId }) {
      const path = `subscriptions/${segment(productId)}`;
      return toPlanPeriods(
        parse(await send(key, { method: 'GET', packageName, path }), plansAnswer),
      );
    },
    async reviewRefund(key, review) {
      const { packageName } = review;
      const path = `orders/${segment(review.orderId)}:reviewrefund`;
      await send(key, { method: 'POST', packageName, path, body: toReviewBody(review) });
    },
    async checkKey(key, packageName) {
      const sinceMs = options.clock().getTime() - DAY_MS;
      await voided(key, { packageName, sinceMs, page: null });
    },
    async acknowledge(key, asked) {
      const found = await port.findPurchase({ subscription, product }, key, asked);
      const { isAcknowledged, lines } = found.purchase;
      if (isAcknowledged) return 'already';
      const [line] = lines;
      if (!line || !port.isAcknowledgementDue(found)) return 'not_due';
      const { packageName, purchaseToken, kind } = asked;
      const family = FAMILIES[kind];
      const token = segment(purchaseToken);
      const path = `purchases/${family}/${segment(line.productId)}/tokens/${token}:acknowledge`;
      await send(key, { method: 'POST', packageName, path, body: toAcknowledgement(found) });
      return 'acknowledged';
    },
  };
}
