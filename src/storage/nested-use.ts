import { AsyncLocalStorage } from 'node:async_hooks';

/** A transaction that the present caller is inside of. */
type Holder = { readonly pool: object; isOpen: boolean };

const holders = new AsyncLocalStorage<Holder>();
let refuses = false;

/**
 * From now on, whoever holds a connection of a pool and asks that pool for another one is refused.
 * Such callers, as many at once as the pool has connections, wait for each other for good. For tests:
 * the service itself ends such a wait by the limits of its pool.
 */
export function refuseNestedUse(): void {
  refuses = true;
}

/** Runs the work of a transaction on a connection of `pool`. */
export async function whileHolding<T>(pool: object, work: () => T | Promise<T>): Promise<T> {
  if (!refuses) return work();
  const holder = { pool, isOpen: true };
  try {
    return await holders.run(holder, work);
  } finally {
    // What the work began and nobody waits for may go on after the transaction.
    holder.isOpen = false;
  }
}

/** The refusal of a caller that holds a connection of this pool already; null for all others. */
export function nestedUse(pool: object): Error | null {
  const holder = holders.getStore();
  if (!holder?.isOpen || holder.pool !== pool) return null;
  return new Error(
    'Inside a transaction the pool was asked for another connection. Pass the transaction on, or ask before it begins.',
  );
}
