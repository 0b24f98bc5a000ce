import type { PlayOrder, PlayOrderLine } from '../../../providers/play-store/port.ts';

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
