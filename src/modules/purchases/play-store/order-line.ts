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

export function pricePaid(
  orders: readonly PlayOrder[],
  { orderId, productId }: { orderId: string; productId: string },
): { priceMilliunits: number; currency: string } | null {
  const order = orders.find((one) => one.orderId === orderId);
  const line = order?.lines.find((one) => one.productId === productId);
  return line ? { priceMilliunits: line.priceMilliunits, currency: line.currency } : null;
}
