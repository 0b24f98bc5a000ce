import { AsyncLocalStorage } from 'node:async_hooks';

type Holder = { readonly pool: object; isOpen: boolean };

const holders = new AsyncLocalStorage<Holder>();
let refuses = false;

export function refuseNestedUse(): void {
  refuses = true;
}

export async function whileHolding<T>(pool: object, work: () => T | Promise<T>): Promise<T> {
  if (!refuses) return work();
  const holder = { pool, isOpen: true };
  try {
    return await holders.run(holder, work);
  } finally {
    // Unawaited work may outlive the transaction.
    holder.isOpen = false;
  }
}

export function nestedUse(pool: object): Error | null {
  const holder = holders.getStore();
  if (!holder?.isOpen || holder.pool !== pool) return null;
  return new Error(
    'Inside a transaction the pool was asked for another connection. Pass the transaction on, or ask before it begins.',
  );
}
