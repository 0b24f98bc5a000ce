import type { PlayOrder } from '../../../providers/play-store/port.ts';

const PART = '/';

/** An order of several products is a transaction for each. */
export const orderLine = (
  line: { orderId: string; productId: string },
  lines: readonly { orderId: string }[],
): string => {
  const ofOrder = lines.filter(({ orderId }) => orderId === line.orderId);
  return ofOrder.length > 1 ? `${line.orderId}${PART}${line.productId}` : line.orderId;
};

export const isOfOrder = (transactionId: string, orderId: string): boolean =>
  transactionId === orderId || transactionId.startsWith(orderId + PART);

type Ordered = { orderId: string; productId: string };

const lineOf = (orders: readonly PlayOrder[], { orderId, productId }: Ordered) =>
  orders.find((one) => one.orderId === orderId)?.lines.find((one) => one.productId === productId) ??
  null;

export function pricePaid(
  orders: readonly PlayOrder[],
  ordered: Ordered,
): { priceMilliunits: number; currency: string } | null {
  const line = lineOf(orders, ordered);
  return line && { priceMilliunits: line.priceMilliunits, currency: line.currency };
}

export const periodStart = (orders: readonly PlayOrder[], ordered: Ordered): number | null =>
  lineOf(orders, ordered)?.startsAt ?? null;
