import type { VoidedPurchase } from '../../../providers/play-store/port.ts';
import type { Transaction } from '../../../shared/purchase.ts';
import { orderIdOf } from './order-line.ts';

/** Transactions without an order that pays for them. A part of several takes nothing away. */
export function revokedBy(
  { orderId, voidedAt: revokedAt, quantity }: VoidedPurchase,
  known: readonly Transaction[],
  at: number,
): Transaction[] {
  if (quantity !== null) return [];
  return (
    known
      .filter((one) => one.revokedAt === null && orderIdOf(one.transactionId) === orderId)
      // Money that is given back, also of replaced periods.
      .map((one) => ({
        ...one,
        ...{ revokedAt, upgraded: false },
        // Newer than the answer that it changes, also by the clock of another host.
        signedAt: Math.max(at, one.signedAt + 1),
      }))
  );
}
