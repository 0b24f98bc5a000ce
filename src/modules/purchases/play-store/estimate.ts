import type { PlayOrder, PlayOrderLine } from '../../../providers/play-store/port.ts';
import type { SubscriptionAnswer, Term } from './answer.ts';

const PART = '/';

type Ordered = { orderId: string; productId: string };

/** An order of several products is a transaction for each. */
export const orderLine = ({ orderId, productId }: Ordered, isOfSeveral: boolean): string =>
  isOfSeveral ? `${orderId}${PART}${productId}` : orderId;

export const orderIdOf = (transactionId: string): string =>
  transactionId.split(PART, 1)[0] ?? transactionId;

export const orderOf = (orders: readonly PlayOrder[], orderId: string): PlayOrder | null =>
  orders.find((one) => one.orderId === orderId) ?? null;

export const lineOf = (order: PlayOrder | null, productId: string): PlayOrderLine | null =>
  order?.lines.find((one) => one.productId === productId) ?? null;

const RENEWAL = /^(.+)\.\.(\d{1,3})$/;

export function ordersUpTo(orderId: string): string[] {
  const [, first, number] = RENEWAL.exec(orderId) ?? [];
  if (first === undefined) return [orderId];
  const renewals = Array.from({ length: Number(number) + 1 }, (_, index) => `${first}..${index}`);
  return [first, ...renewals];
}

/** Periods of earlier orders that cannot be read, of equal length and without a price. */
export function estimateEarlier(
  line: Term,
  terms: readonly Term[],
  { known, subscription }: SubscriptionAnswer,
): Term[] {
  const stored = known
    .filter((one) => !one.isEstimated)
    .map((one) => ({ ...one, startsAt: one.startsAt ?? one.purchasedAt }));
  const read = [...terms, ...stored];
  const estimates: Term[] = [];
  let end = subscription.startedAt;
  let missing: string[] = [];
  for (const orderId of ordersUpTo(line.orderId)) {
    const own = read.find((one) => orderIdOf(one.transactionId) === orderId);
    if (!own) {
      missing.push(orderId);
      continue;
    }
    if (end !== null && end < own.startsAt) {
      const [from, length] = [end, (own.startsAt - end) / Math.max(1, missing.length)];
      for (const [index, transactionId] of missing.entries()) {
        const startsAt = Math.round(from + index * length);
        const expiresAt = Math.round(from + (index + 1) * length);
        const unpaid = { isTrial: false, offerId: null, priceMilliunits: null, isEstimated: true };
        const regularMilliunits = line.regularMilliunits ?? line.priceMilliunits;
        const times = { startsAt, expiresAt, orderId: transactionId, transactionId };
        estimates.push({ ...line, ...unpaid, ...times, regularMilliunits });
      }
    }
    end = own.expiresAt;
    missing = [];
  }
  return estimates;
}
